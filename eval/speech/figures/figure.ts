import { type Interval, poisson, wilson } from "../measure/intervals.ts";

/** One number with what it stands on. */
export interface Figure {
  /** Null when nothing could be measured. */
  value: number | null;
  /** 95 % interval; null when the sample allows none. */
  interval: Interval | null;
  /** Size of the sample, and what it counts: words, recordings, hours. */
  n: number;
  of: string;
}

export function figure(value: number | null, interval: Interval | null, n: number, of: string): Figure {
  const usable = value !== null && Number.isFinite(value);
  return { value: usable ? value : null, interval: usable ? interval : null, n, of };
}

/** In percent, with Wilson's interval. */
export function proportion({ hits, n }: { hits: number; n: number }, of: string): Figure {
  const interval = wilson(hits, n);
  return figure((100 * hits) / n, interval && { low: 100 * interval.low, high: 100 * interval.high }, n, of);
}

/** Events an hour, with Garwood's interval. */
export function hourly(count: number, hours: number): Figure {
  if (hours === 0) return figure(null, null, 0, "hours");
  const { low, high } = poisson(count);
  return figure(count / hours, { low: low / hours, high: high / hours }, hours, "hours");
}
