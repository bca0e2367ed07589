import type { WorkerPoolStatus } from "../workerpool/types.ts";
import { later, secondsBetween } from "./time.ts";

/** "This many, or beyond, has been wanted without a break since then"; the further from the present count, the later. */
export type Levels = NonNullable<WorkerPoolStatus["scaling"]>["lower"];

/** A pool that swings through more counts than this within its window is held longer than it need be, no more. */
const MOST_LEVELS = 32;

/**
 * The stabilisation window: goes from `current` towards `wanted` only as far as was wanted all through the window.
 *
 * What a HorizontalPodAutoscaler keeps as a list of recommendations is kept here as the few times at which a level
 * began, so that it fits into the status, lives through a change of leader and changes only when demand does.
 *
 * @param levels of the last decision
 * @returns how far one may go now, and if that is not all the way, when it next may be further
 */
export function stabilise(
  levels: Levels,
  { current, wanted, windowSeconds, now }: { current: number; wanted: number; windowSeconds: number; now: string },
): { allowed: number; levels: Levels; until: string | null } {
  const beyond = wanted < current ? (a: number, b: number) => a < b : (a: number, b: number) => a > b;
  if (wanted === current || windowSeconds === 0) return { allowed: wanted, levels: [], until: null };
  const kept = levels.filter(({ replicas }) => beyond(replicas, current) && !beyond(replicas, wanted));
  // Levels beyond what is wanted now are over, but they were wanted, so this one was wanted no later than they.
  const over = levels.find(({ replicas }) => beyond(replicas, wanted));
  if (!kept.some(({ replicas }) => replicas === wanted)) kept.push({ replicas: wanted, since: over?.since ?? now });
  if (kept.length > MOST_LEVELS) kept.splice(-2, 1);
  const passed = kept.filter(({ since }) => secondsBetween(since, now) >= windowSeconds);
  const next = kept[passed.length];
  return {
    allowed: passed.at(-1)?.replicas ?? current,
    levels: kept,
    until: next ? later(next.since, windowSeconds) : null,
  };
}
