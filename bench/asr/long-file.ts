import type { Composition } from "../../eval/audio/compose.ts";
import { round } from "../benchmark.ts";
import type { Rivals } from "../rivals.ts";
import { wordErrorRate } from "../words.ts";
import { about, fastestFasterWhisper, fastestTransformersjs } from "./fastest.ts";
import { entry, type Field } from "./field.ts";
import type { Bench, PartReport } from "./part.ts";
import { realTimeFactor, type Side, secondsOf, standings, werOfFile } from "./report.ts";
import { takeTurns } from "./turns.ts";

/** Points of word error rate that a rival's setting may be behind ours: leaving words out is no way to be fast. */
const SAME_WORK = 5;

export async function longFile(
  bench: Bench,
  { ours, withVoices, fasterWhisper }: Field,
  rivals: Rivals,
  { short, long }: { short: Composition; long: Composition },
): Promise<PartReport> {
  const { company, threads, say } = bench;
  const { text } = await ours.ask(about(long));
  const worstWer = wordErrorRate(long.text, text, long.language) + SAME_WORK;
  const js = await fastestTransformersjs(company, rivals, threads, { short, long, worstWer }, say);
  const fw = await fastestFasterWhisper(fasterWhisper, long, say);
  const answers = await takeTurns([entry(ours), entry(withVoices), js, fw], about(long), {
    ...bench,
    what: "long file",
  });
  await company.dismiss(js.contender);
  const names = [ours.name, withVoices.name, `transformers.js (${js.label})`, `faster-whisper (${fw.label})`];
  const sides = names.map((name, i) => ({ name, answers: answers[i] ?? [] })) as [Side, Side, Side, Side];
  const audioSeconds = long.samples / 16_000;
  const [rtf, voicesRtf, jsRtf, fwRtf] = sides.map((side) => realTimeFactor(side, audioSeconds)) as [
    number,
    number,
    number,
    number,
  ];
  const wers = sides.map((side) => werOfFile(side, long));
  const own = [...sides[0].answers, ...sides[1].answers];
  const worst = (figure: string) => Math.max(...own.map((answer) => Number(answer[figure])));
  return {
    table: standings(sides, audioSeconds, wers),
    figures: {
      rtf: round(rtf, 5),
      rtf_with_embeddings: round(voicesRtf, 5),
      transformersjs_rtf: round(jsRtf, 5),
      faster_whisper_rtf: round(fwRtf, 5),
      speedup: round(jsRtf / rtf, 3),
      speedup_faster_whisper: round(fwRtf / rtf, 3),
      speedup_faster_whisper_with_embeddings: round(fwRtf / voicesRtf, 3),
      event_loop_p99_ms: round(worst("event_loop_p99_ms"), 2),
      peak_rss_mb: Math.round(worst("peak_rss_mb")),
      audio_seconds: round(audioSeconds, 3),
      wer: wers[0],
      transformersjs_wer: wers[2],
      faster_whisper_wer: wers[3],
      detected_language: sides[0].answers[0]?.language ?? null,
      voiceprint_bytes: sides[1].answers[0]?.voiceprint_bytes ?? 0,
      retried_windows: sides[0].answers[0]?.retried_windows ?? null,
      seconds: secondsOf(sides[0]),
      seconds_with_embeddings: secondsOf(sides[1]),
      transformersjs_seconds: secondsOf(sides[2]),
      faster_whisper_seconds: secondsOf(sides[3]),
      transformersjs_setting: js.label,
      faster_whisper_batch_size: fw.settings.batch_size,
      phases_ms: sides[0].answers.map((answer) => answer.phases_ms),
    },
  };
}
