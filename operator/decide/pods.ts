import type { Observation, PodObservation } from "../observation.ts";
import type { PodCounts } from "../plan.ts";
import { secondsBetween } from "./time.ts";

/** A pool's pods, sorted by what they are good for. Each pod is in exactly one of the lists. */
export interface Fleet {
  /** Alive and of the present template. */
  updated: PodObservation[];
  /** Alive and of another template. */
  old: PodObservation[];
  /** On a node that is lost: no capacity, but maybe at work, and it may come back. */
  lost: PodObservation[];
  /** Being deleted, by us or by others. */
  terminating: PodObservation[];
  /** Failed, evicted or completed: to be cleared away and replaced. */
  ended: PodObservation[];
}

export function sortPods({ pool, pods }: Observation): Fleet {
  const fleet: Fleet = { updated: [], old: [], lost: [], terminating: [], ended: [] };
  for (const pod of pods) {
    if (pod.phase === "Failed" || pod.phase === "Succeeded") fleet.ended.push(pod);
    else if (pod.deletedAt) fleet.terminating.push(pod);
    else if (pod.nodeLost || pod.phase === "Unknown") fleet.lost.push(pod);
    else if (pod.templateHash === pool.templateHash) fleet.updated.push(pod);
    else fleet.old.push(pod);
  }
  return fleet;
}

/** Its worker has not been started, or has ended and waits to be started again: there is nothing in it to lose. */
export const notStarted = (pod: PodObservation) => !pod.running && pod.worker === null;

/** Started, but not answering: maybe at work. */
export const unreachable = (pod: PodObservation) => pod.running && pod.worker === null;

/** At work, or maybe. A permit alone is no work: an idle worker holds one for each poll that is out. */
export const busy = (pod: PodObservation) => (pod.worker ? pod.worker.busy > 0 : unreachable(pod));

export const draining = (pod: PodObservation) => pod.worker?.state === "draining";

/** Nothing runs in it and nothing can begin. */
export const drained = (pod: PodObservation) => draining(pod) && pod.worker?.permits === 0 && pod.worker.busy === 0;

/** Ready for work, or it would be if its drain were called off. */
export const available = (pod: PodObservation) => pod.ready || draining(pod);

/** No node for so long that waiting alone will not help. */
export function withoutNode(pod: PodObservation, spec: Observation["pool"]["spec"], now: string): boolean {
  return (
    pod.unschedulable !== null &&
    !pod.gated &&
    secondsBetween(pod.unschedulable.since, now) >= spec.rollout.unschedulableSeconds
  );
}

export function countPods({ updated, old, lost, terminating, ended }: Fleet): PodCounts {
  const alive = [...updated, ...old];
  const count = (pods: PodObservation[], is: (pod: PodObservation) => boolean) => pods.filter(is).length;
  return {
    updated: updated.length,
    old: old.length,
    ready: count(alive, (pod) => pod.ready && !draining(pod)),
    busy: count(alive, busy),
    draining: count(alive, draining),
    pending: count(alive, notStarted),
    unreachable: count(alive, unreachable) + lost.length,
    terminating: terminating.length,
    ended: ended.length,
  };
}
