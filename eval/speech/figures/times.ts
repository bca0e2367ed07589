import { comparedWords } from "../measure/compared-words.ts";
import { type Coverage, coverage, uncoveredShare } from "../measure/coverage.ts";
import { bootstrap } from "../measure/intervals.ts";
import { startIntervals, startPercentiles, wordStarts } from "../measure/word-starts.ts";
import { type Figure, figure } from "./figure.ts";
import type { Measured } from "./measured.ts";

export interface StartFigures {
  p50: Figure;
  p90: Figure;
  p95: Figure;
  /** Reference words that the transcript has too, percent: only these are measured. */
  matched: Figure;
}

/** Errors of word starts in milliseconds, over recordings whose words have times. */
export function startFigures(measured: readonly Measured[]): StartFigures {
  const starts = measured.flatMap(({ recording, transcript }) =>
    recording.words ? [wordStarts(comparedWords(recording.words), comparedWords(transcript.words))] : [],
  );
  const found = startPercentiles(starts);
  const intervals = startIntervals(starts);
  const matched = starts.reduce((sum, { errors }) => sum + errors.length, 0);
  const words = starts.reduce((sum, recording) => sum + recording.words, 0);
  const at = (name: "p50" | "p90" | "p95") =>
    figure(found?.[name] ?? null, intervals?.[name] ?? null, matched, "matched words");
  return {
    p50: at("p50"),
    p90: at("p90"),
    p95: at("p95"),
    matched: figure((100 * matched) / words, null, words, "words"),
  };
}

export interface CoverageFigures {
  /** Percent of reference word time. */
  uncovered: Figure;
  byVoiceActivity: Figure;
  byRecognition: Figure;
}

export function coverageFigures(measured: readonly Measured[]): CoverageFigures {
  const all = measured.flatMap(({ recording, transcript, windows }) =>
    recording.words
      ? [
          coverage(
            recording.words,
            transcript.words,
            windows.flatMap(({ spans }) => spans),
          ),
        ]
      : [],
  );
  const words = measured.reduce((sum, { recording }) => sum + (recording.words?.length ?? 0), 0);
  const only = (field: "missedByVoiceActivity" | "missedByRecognition") =>
    all.map((one): Coverage => ({ total: one.total, missedByVoiceActivity: 0, missedByRecognition: one[field] }));
  const of = (units: readonly Coverage[]) =>
    figure(uncoveredShare(units), bootstrap(units, uncoveredShare), words, "words");
  return {
    uncovered: of(all),
    byVoiceActivity: of(only("missedByVoiceActivity")),
    byRecognition: of(only("missedByRecognition")),
  };
}
