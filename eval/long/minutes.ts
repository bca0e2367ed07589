import { comparedWords } from "../speech/measure/compared-words.ts";
import { startPercentiles, type TimedWord, wordStarts } from "../speech/measure/word-starts.ts";

/** Word starts of one stretch, milliseconds; null where no word is the same on both sides. */
export interface StretchStarts {
  p50: number | null;
  p95: number | null;
  words: number;
  matched: number;
}

/** Words of the transcript this far outside of the stretch, in seconds, may belong to reference words inside. */
const MARGIN = 5;

/** Errors of the words that the reference has from `from` to `to` seconds. */
export function stretchStarts(
  reference: readonly TimedWord[],
  transcript: readonly TimedWord[],
  { from, to }: { from: number; to: number },
): StretchStarts {
  const within = (words: readonly TimedWord[], margin: number) =>
    words.filter(({ start }) => start >= from - margin && start < to + margin);
  const starts = wordStarts(comparedWords(within(reference, 0)), comparedWords(within(transcript, MARGIN)));
  const found = startPercentiles([starts]);
  return { p50: found?.p50 ?? null, p95: found?.p95 ?? null, words: starts.words, matched: starts.errors.length };
}
