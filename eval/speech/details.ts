import { writeFile } from "node:fs/promises";
import { round } from "../../bench/benchmark.ts";
import { answeredTurns, hours, type Measured, roleAnswer, utterancesOf } from "./figures/measured.ts";
import { errorsOf, ourText } from "./figures/words.ts";
import { comparedWords } from "./measure/compared-words.ts";
import { coverage, uncoveredShare } from "./measure/coverage.ts";
import { diarizationErrorRate, diarizationErrors } from "./measure/diarization.ts";
import type { Normaliser } from "./measure/normaliser.ts";
import { roleOutcome } from "./measure/roles.ts";
import { speakerCount } from "./measure/speaker-counts.ts";
import { wordErrorRate } from "./measure/word-errors.ts";
import { startPercentiles, wordStarts } from "./measure/word-starts.ts";
import type { RivalSetting } from "./run/rival.ts";

/** What each recording contributed, for whoever asks why a figure is as it is: one JSON line a recording. */
export async function writeDetails(
  path: string,
  measured: readonly Measured[],
  theirs: ReadonlyMap<string, Record<RivalSetting, string>>,
  normaliser: Normaliser,
): Promise<void> {
  const lines: string[] = [];
  for (const one of measured) {
    lines.push(JSON.stringify(await detailsOf(one, theirs.get(one.recording.id), normaliser)));
  }
  await writeFile(path, `${lines.join("\n")}\n`);
}

async function detailsOf(one: Measured, rival: Record<RivalSetting, string> | undefined, normaliser: Normaliser) {
  const { recording, transcript, windows } = one;
  const rate = async (text: string) => percent(wordErrorRate(await errorsOf([one], () => text, normaliser)));
  const said = utterancesOf(recording).join(" ");
  const turns = recording.turns ?? [];
  const answer = answeredTurns(one);
  return {
    id: recording.id,
    set: recording.set,
    split: recording.split,
    condition: recording.condition,
    voices: recording.voices,
    minutes: round(60 * hours([one]), 2),
    language: recording.language,
    heard_language: transcript.language,
    window_languages: [...new Set(windows.map(({ language }) => language))],
    warnings: transcript.warnings,
    retried_windows: transcript.metrics.retriedWindows,
    ...(said !== "" && { wer: await rate(ourText(one)) }),
    ...(rival && {
      faster_whisper_wer: { batched: await rate(rival.batched), sequential: await rate(rival.sequential) },
    }),
    ...(turns.length > 0 && {
      speakers: speakerCount(turns, answer),
      der_collar: percent(diarizationErrorRate(diarizationErrors(turns, answer ?? [], { collar: 0.25 }))),
    }),
    ...(recording.words && {
      word_starts_ms: startPercentiles([wordStarts(comparedWords(recording.words), comparedWords(transcript.words))]),
      uncovered: percent(
        uncoveredShare([
          coverage(
            recording.words,
            transcript.words,
            windows.flatMap(({ spans }) => spans),
          ),
        ]),
      ),
    }),
    ...(recording.expectation && {
      expectation: recording.expectation,
      roles: roleOutcome(turns, recording.roles ?? {}, roleAnswer(one)),
      role_confidence: transcript.speakerRoleConfidence,
    }),
    ...(recording.set === "noise" && { invented: transcript.words.map(({ text }) => text).join(" ") }),
    said,
    text: transcript.text,
    ...(rival && { faster_whisper: rival }),
  };
}

const percent = (value: number) => (Number.isFinite(value) ? round(value, 2) : null);
