import { Random } from "../../random.ts";
import { align } from "./align.ts";
import { type Interval, percentile } from "./intervals.ts";

/** A word as it is compared, seconds. */
export interface TimedWord {
  text: string;
  start: number;
  end: number;
}

/** How far the starts are off in one recording. */
export interface WordStarts {
  /** Milliseconds between reference and transcript, without sign, one a word that both have. */
  errors: number[];
  /** Reference words, matched or not. */
  words: number;
}

/** Words further apart than this are two different ones, whatever the alignment of texts says. Seconds. */
const FAR = 10;

/**
 * Errors of word starts: words are aligned by edit distance, of equally good alignments the nearest in time, and only
 * those that are the same word count.
 */
export function wordStarts(reference: readonly TimedWord[], hypothesis: readonly TimedWord[]): WordStarts {
  const apart = (i: number, j: number) =>
    Math.abs((reference[i] as TimedWord).start - (hypothesis[j] as TimedWord).start);
  const steps = align(
    reference.map(({ text }) => text),
    hypothesis.map(({ text }) => text),
    (i, j) => Math.min(1, apart(i, j) / FAR),
  );
  const errors = steps.flatMap(({ reference: i, hypothesis: j, match }) =>
    match ? [1_000 * apart(i as number, j as number)] : [],
  );
  return { errors, words: reference.length };
}

export interface StartPercentiles {
  p50: number;
  p90: number;
  p95: number;
}

const PERCENTS = { p50: 50, p90: 90, p95: 95 } as const;

/** Over the words of all recordings, milliseconds; null without a matched word. */
export function startPercentiles(recordings: readonly WordStarts[]): StartPercentiles | null {
  const sorted = Float64Array.from(recordings.flatMap(({ errors }) => errors)).sort();
  if (sorted.length === 0) return null;
  const at = (name: keyof typeof PERCENTS) => percentile(sorted, PERCENTS[name]);
  return { p50: at("p50"), p90: at("p90"), p95: at("p95") };
}

/** Milliseconds that a histogram tells apart, from 0 to ten seconds: enough for an interval, and fast to add up. */
const BINS = 10_000;

/**
 * The percentiles' intervals when recordings are drawn with replacement (the words of one recording err together, so
 * drawing words would promise too much). Null with fewer than two recordings.
 */
export function startIntervals(
  recordings: readonly WordStarts[],
  { resamples = 1_000, seed = 1 } = {},
): Record<keyof StartPercentiles, Interval> | null {
  if (recordings.length < 2) return null;
  const random = new Random(seed);
  const found = { p50: [] as number[], p90: [] as number[], p95: [] as number[] };
  const counts = new Uint32Array(BINS);
  for (let resample = 0; resample < resamples; resample++) {
    counts.fill(0);
    let words = 0;
    for (let i = 0; i < recordings.length; i++) {
      const { errors } = recordings[Math.floor(random.next() * recordings.length)] as WordStarts;
      words += errors.length;
      for (const error of errors) {
        const bin = Math.min(BINS - 1, Math.floor(error));
        counts[bin] = (counts[bin] as number) + 1;
      }
    }
    if (words === 0) continue;
    let [bin, below] = [0, 0];
    for (const name of ["p50", "p90", "p95"] as const) {
      const rank = ((words - 1) * PERCENTS[name]) / 100;
      while (below + (counts[bin] as number) <= rank && bin < BINS - 1) below += counts[bin++] as number;
      found[name].push(bin + 0.5);
    }
  }
  const middle = (values: number[]) => {
    const sorted = values.sort((a, b) => a - b);
    return { low: percentile(sorted, 2.5), high: percentile(sorted, 97.5) };
  };
  if (found.p50.length === 0) return null;
  return { p50: middle(found.p50), p90: middle(found.p90), p95: middle(found.p95) };
}
