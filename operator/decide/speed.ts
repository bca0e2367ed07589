import type { Observation } from "../observation.ts";
import type { WorkerPoolStatus } from "../workerpool/types.ts";
import { secondsBetween } from "./time.ts";

type MeasuredSpeed = NonNullable<WorkerPoolStatus["speed"]>;

/** A sample's weight falls to 1/e in this time: some dozens of chunks, so that one odd recording moves nothing. */
const MEMORY_SECONDS = 120;
/** Taken in no more often than this, since each time is a write of the status. */
const INTERVAL_SECONDS = 30;

/**
 * The speed to reckon with, in audio-seconds a second a slot, and what to remember of it. A moving average of what the
 * busy pods of the present template say; it begins at `spec.assumedSpeed` with each template, since another image or
 * another GPU is another speed.
 */
export function measuredSpeed({ now, pool, pods }: Observation): { speed: number; measured?: MeasuredSpeed } {
  const { spec, templateHash } = pool;
  const before = pool.status.speed?.templateHash === templateHash ? pool.status.speed : undefined;
  const speed = before?.audioSecondsPerSecond ?? spec.assumedSpeed;
  // Idle pods repeat what they last measured: nothing new, and a quiet pool must write nothing.
  const samples = pods.flatMap(({ templateHash: hash, worker }) =>
    hash === templateHash && worker && worker.busy > 0 && worker.audioSecondsPerSecond
      ? [worker.audioSecondsPerSecond]
      : [],
  );
  const elapsed = before ? secondsBetween(before.measuredAt, now) : INTERVAL_SECONDS;
  if (samples.length === 0 || elapsed < INTERVAL_SECONDS) return { speed, ...(before && { measured: before }) };
  const sample = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const next = threeDigits(speed + (sample - speed) * (1 - Math.exp(-elapsed / MEMORY_SECONDS)));
  return { speed: next, measured: { templateHash, audioSecondsPerSecond: next, measuredAt: now } };
}

/** Rounded to what a status is read for; never to 0, by which the backlog is divided. */
function threeDigits(speed: number): number {
  return Math.max(0.001, Number(speed.toPrecision(3)));
}
