import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Time as the operator sees it, so that a test can hold it still and a lease is never judged by a wall clock. */
export interface Clock {
  /** Milliseconds since 1970: for what people and other processes read. */
  now(): number;
  /** Milliseconds since some moment of this process; never goes back. */
  monotonic(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }).catch(() => undefined),
};

/** Why a wait is ended; a reason of its own spares an exception with its stack. */
const DONE = "done";

/** Resolves when `work` has, or after so many milliseconds without it. Rejects as `work` does until then. */
export async function inTime(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work.finally(() => enough.abort(DONE)), clock.sleep(milliseconds, enough.signal)]);
}
