import { round } from "../benchmark.ts";
import type { Question } from "../contender.ts";
import type { Clip } from "./clips.ts";
import { fastestOnClips } from "./fastest.ts";
import { entry, type Field } from "./field.ts";
import type { Bench, PartReport } from "./part.ts";
import { realTimeFactor, type Side, secondsOf, standings, werOfClips } from "./report.ts";
import { takeTurns } from "./turns.ts";

/** Many short recordings, one after the other, each a transcript of its own. */
export async function shortClips(
  bench: Bench,
  { ours, withVoices, fasterWhisper }: Field,
  clips: readonly Clip[],
  language: string,
): Promise<PartReport> {
  const question: Question = { files: clips.map(({ path }) => path), language };
  const fw = await fastestOnClips(fasterWhisper, question, bench.say);
  const answers = await takeTurns([entry(ours), entry(withVoices), fw], question, { ...bench, what: "short clips" });
  const names = [ours.name, withVoices.name, `faster-whisper (${fw.label})`];
  const sides = names.map((name, i) => ({ name, answers: answers[i] ?? [] })) as [Side, Side, Side];
  const audioSeconds = clips.reduce((sum, { samples }) => sum + samples, 0) / 16_000;
  const [rtf, voicesRtf, fwRtf] = sides.map((side) => realTimeFactor(side, audioSeconds)) as [number, number, number];
  const wers = sides.map((side) => werOfClips(side, clips, language));
  return {
    table: standings(sides, audioSeconds, wers),
    figures: {
      short_rtf: round(rtf, 5),
      short_rtf_with_embeddings: round(voicesRtf, 5),
      faster_whisper_short_rtf: round(fwRtf, 5),
      short_speedup_faster_whisper: round(fwRtf / rtf, 3),
      short_wer: wers[0],
      faster_whisper_short_wer: wers[2],
      short_clips: clips.length,
      short_audio_seconds: round(audioSeconds, 3),
      short_seconds: secondsOf(sides[0]),
      short_seconds_with_embeddings: secondsOf(sides[1]),
      faster_whisper_short_seconds: secondsOf(sides[2]),
      faster_whisper_short_setting: fw.label,
    },
  };
}
