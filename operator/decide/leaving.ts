import type { Observation, PodObservation } from "../observation.ts";
import type { Draining } from "../workerpool/types.ts";
import { roomMaker } from "./making-room.ts";
import { available, busy, drained, draining, type Fleet, notStarted, unreachable } from "./pods.ts";
import { startFailure } from "./start-failure.ts";

/** A pod that is to go, and what for. */
export interface Leaving {
  pod: PodObservation;
  reason: Draining["reason"];
}

/**
 * Which pods are to go, chosen anew with each decision. A pod that is draining and is not among them is called back.
 * Who already drains goes before others of its kind, so that the choice stays what it was while nothing else changes.
 *
 * @param stopped the present template cannot start or is refused: old pods stay
 */
export function leavingPods(observation: Observation, fleet: Fleet, desired: number, stopped: boolean): Leaving[] {
  if (fleet.old.length === 0) return surplus(observation, fleet.updated, desired, "ScaleDown");
  if (stopped) return whileStopped(observation, fleet, desired);
  return rollingOut(observation, fleet, desired);
}

/** Beyond what is desired, those first that cost least to lose. */
function surplus(
  observation: Observation,
  pods: PodObservation[],
  desired: number,
  reason: Draining["reason"],
): Leaving[] {
  return byCost(observation, pods)
    .slice(0, Math.max(0, pods.length - desired))
    .map((pod) => ({ pod, reason }));
}

/**
 * The old template's pods carry on, and only a smaller desired count takes any away. Of the new ones that do not
 * start, as many as may surge stay: they are tried again.
 */
function whileStopped(observation: Observation, { updated, old }: Fleet, desired: number): Leaving[] {
  const { maxSurge } = observation.pool.spec.rollout;
  const tried = desired === 0 ? [] : updated.filter((pod) => !available(pod)).slice(0, maxSurge);
  const others = [...old, ...updated].filter((pod) => !tried.includes(pod));
  return surplus(observation, others, desired, "ScaleDown");
}

/**
 * Old pods go as new ones get ready, as a Deployment does it: never so many that fewer than
 * `desired - maxUnavailable` are available, and what may go is counted before new pods that are not available yet.
 * Old ones that do not start go at once: they are no capacity, and hold what the new ones may be waiting for.
 */
function rollingOut(observation: Observation, fleet: Fleet, desired: number): Leaving[] {
  const { updated, old } = fleet;
  const { maxUnavailable } = observation.pool.spec.rollout;
  const leaving = surplus(observation, updated, desired, "ScaleDown");
  const staying = updated.length - leaving.length;
  const fewest = Math.max(0, desired - maxUnavailable);
  const ready = [...updated, ...old].filter(available).length;
  const notReady = Math.min(staying, updated.filter((pod) => !available(pod)).length);
  const ordered = byCost(observation, old);
  const useless = ordered.filter((pod) => isUseless(pod, observation));
  leaving.push(...useless.map((pod): Leaving => ({ pod, reason: "Rollout" })));
  const cheapest = ordered.filter((pod) => !useless.includes(pod));
  let budget = staying + cheapest.length - fewest - notReady;
  let spare = ready - leaving.filter(({ pod }) => available(pod)).length - fewest;
  for (const pod of cheapest) {
    if (budget <= 0) break;
    if (available(pod) && spare <= 0) continue;
    leaving.push({ pod, reason: "Rollout" });
    budget -= 1;
    if (available(pod)) spare -= 1;
  }
  if (leaving.some(({ pod }) => old.includes(pod))) return leaving;
  const maker = roomMaker(observation, fleet, cheapest, fewest);
  return maker ? [...leaving, { pod: maker, reason: "MakeRoom" }] : leaving;
}

/** Of an old template, and it fails to start or has not even a node. */
function isUseless(pod: PodObservation, observation: Observation): boolean {
  if (available(pod)) return false;
  return (notStarted(pod) && pod.scheduledAt === null) || startFailure(pod, observation) !== null;
}

/**
 * Cheapest to lose first: what has not started (what fails, then what has no node, then what is about to start), then
 * what is still loading its models, what already drains, what is idle, what is least at work, and last what does not
 * answer, since it cannot be drained. Among equals the youngest goes.
 */
function byCost(observation: Pick<Observation, "now" | "pool">, pods: PodObservation[]): PodObservation[] {
  const begun = new Set(observation.pool.status.draining.map(({ uid }) => uid));
  const cost = (pod: PodObservation): number => {
    if (notStarted(pod)) return startFailure(pod, observation) ? 0 : pod.scheduledAt === null ? 1 : 2;
    if (drained(pod)) return 3;
    if (unreachable(pod)) return begun.has(pod.uid) ? 8 : 9;
    if (draining(pod) || begun.has(pod.uid)) return 5;
    if (!available(pod)) return 4;
    return busy(pod) ? 7 : 6;
  };
  return pods.toSorted(
    (a, b) =>
      cost(a) - cost(b) ||
      (a.worker?.busy ?? 0) - (b.worker?.busy ?? 0) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
      (b.index ?? 0) - (a.index ?? 0) ||
      (a.name < b.name ? 1 : -1),
  );
}
