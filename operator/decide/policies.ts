import type { ScalingPolicies, WorkerPoolStatus } from "../workerpool/types.ts";
import { secondsBetween } from "./time.ts";

/** Pods added or taken away, oldest first. */
export type Changes = NonNullable<WorkerPoolStatus["scaling"]>["changes"];

/** More than this many changes within half an hour are folded together, the oldest first. */
const MOST_CHANGES = 64;
/** The longest period that a policy may have. */
const LONGEST_PERIOD_SECONDS = 1800;

/** The most pods that the policies allow now. */
export function mostAllowed(policies: ScalingPolicies, current: number, changes: Changes, now: string): number {
  if (policies.selectPolicy === "Disabled") return current;
  const limits = policies.policies.map(({ type, value, periodSeconds }) => {
    const start = atPeriodStart(current, changes, periodSeconds, now);
    // Of nothing, a percentage is nothing, and a pool at 0 would stay there: it counts as 1.
    return type === "Pods" ? start + value : start + Math.ceil((Math.max(1, start) * value) / 100);
  });
  return Math.max(current, pick(policies.selectPolicy === "Max" ? Math.max : Math.min, limits));
}

/** The fewest pods that the policies allow now. */
export function fewestAllowed(policies: ScalingPolicies, current: number, changes: Changes, now: string): number {
  if (policies.selectPolicy === "Disabled") return current;
  const limits = policies.policies.map(({ type, value, periodSeconds }) => {
    const start = atPeriodStart(current, changes, periodSeconds, now);
    return type === "Pods" ? start - value : start - Math.ceil((start * value) / 100);
  });
  return Math.max(0, Math.min(current, pick(policies.selectPolicy === "Max" ? Math.min : Math.max, limits)));
}

/** The changes with one more, as short as the policies can make use of. */
export function withChange(changes: Changes, change: number, now: string): Changes {
  const recent = changes.filter(({ at }) => secondsBetween(at, now) <= LONGEST_PERIOD_SECONDS);
  const all = [...recent, { at: now, change }];
  while (all.length > MOST_CHANGES) {
    const [first, second, ...rest] = all;
    if (!first || !second) break;
    // The younger time: a change is forgotten too late rather than too early.
    all.splice(0, all.length, { at: second.at, change: first.change + second.change }, ...rest);
  }
  return all;
}

function atPeriodStart(current: number, changes: Changes, periodSeconds: number, now: string): number {
  const within = changes.filter(({ at }) => secondsBetween(at, now) < periodSeconds);
  return Math.max(0, current - within.reduce((sum, { change }) => sum + change, 0));
}

function pick(choose: (...values: number[]) => number, limits: number[]): number {
  return choose(...limits);
}
