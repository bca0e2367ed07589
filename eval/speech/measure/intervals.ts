import { Random } from "../../random.ts";

/** From low to high; the true value lies there in 95 of 100 such measurements. */
export interface Interval {
  low: number;
  high: number;
}

/** The normal distribution's 97.5 % point. */
const Z = 1.959964;

/** Of a proportion (Wilson, 1927): right for small samples and for proportions near 0 and 1. Null without a sample. */
export function wilson(hits: number, n: number): Interval | null {
  if (n === 0) return null;
  const share = hits / n;
  const middle = share + Z ** 2 / (2 * n);
  const reach = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  const scale = 1 + Z ** 2 / n;
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}

/** Of the expected count behind an observed one, when events come at random (Garwood, 1936: exact). */
export function poisson(count: number): Interval {
  const mostBelow = (mean: number, most: number) => {
    let [term, sum] = [Math.exp(-mean), 0];
    for (let k = 0; k <= most; k++) {
      sum += term;
      term *= mean / (k + 1);
    }
    return sum;
  };
  const solve = (reached: (mean: number) => boolean) => {
    let [low, high] = [0, 2 * count + 20];
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (reached(middle)) high = middle;
      else low = middle;
    }
    return high;
  };
  return {
    low: count === 0 ? 0 : solve((mean) => 1 - mostBelow(mean, count - 1) >= 0.025),
    high: solve((mean) => mostBelow(mean, count) <= 0.025),
  };
}

export interface Resampling {
  resamples?: number;
  seed?: number;
}

/**
 * Of any figure of a sample of independent units, recordings or utterances: units are drawn with replacement as often
 * as there are units, 10,000 times, and the middle 95 % of the figures are the interval (Efron, 1979; for word error
 * rates Bisani and Ney, ICASSP 2004). A figure over pairs (ours and theirs of the same unit) makes it the paired test.
 * Null with fewer than two units. The same seed gives the same interval.
 */
export function bootstrap<Unit>(
  units: readonly Unit[],
  figure: (drawn: readonly Unit[]) => number,
  { resamples = 10_000, seed = 1 }: Resampling = {},
): Interval | null {
  if (units.length < 2) return null;
  const random = new Random(seed);
  const drawn = [...units];
  const figures = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    for (let i = 0; i < units.length; i++) drawn[i] = units[Math.floor(random.next() * units.length)] as Unit;
    figures[resample] = figure(drawn);
  }
  const sorted = figures.filter((value) => !Number.isNaN(value)).sort();
  if (sorted.length === 0) return null;
  return { low: percentile(sorted, 2.5), high: percentile(sorted, 97.5) };
}

/** Between the two nearest ranks (as numpy's default does). `sorted` ascends and is not empty. */
export function percentile(sorted: ArrayLike<number>, percent: number): number {
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)] as number;
  return below + (rank % 1) * ((sorted[Math.ceil(rank)] as number) - below);
}
