import type { Observation, PodObservation } from "../observation.ts";
import type { WorkerPoolStatus } from "../workerpool/types.ts";
import { available, busy, type Fleet, withoutNode } from "./pods.ts";
import { secondsBetween } from "./time.ts";

/**
 * No node for the new template's pod, and none will come: the old pod that makes room for it, if one may. One at a
 * time, and the next not before as many are ready as were before: where others take the room that was made, it costs
 * one pod and not one after the other. A cluster that has lost a node meanwhile never gets back to as many; after
 * `progressDeadlineSeconds` what was before does not count any more.
 *
 * It may go one below `desired - maxUnavailable`, and also where that many never fitted into the cluster.
 *
 * @param cheapest the old pods, cheapest to lose first
 * @param fewest pods that should stay available
 */
export function roomMaker(
  { now, pool }: Pick<Observation, "now" | "pool">,
  { updated, old }: Fleet,
  cheapest: PodObservation[],
  fewest: number,
): PodObservation | undefined {
  const { rollout } = pool.spec;
  if (rollout.whenUnschedulable !== "DrainOneIdle") return undefined;
  if (!updated.some((pod) => withoutNode(pod, pool.spec, now))) return undefined;
  const { room } = pool.status;
  const before = room && secondsBetween(room.since, now) <= rollout.progressDeadlineSeconds ? room.readyReplicas : 0;
  if (readyPods({ updated, old }) < Math.min(fewest, before)) return undefined;
  const begun = new Set(pool.status.draining.filter(({ reason }) => reason === "MakeRoom").map(({ uid }) => uid));
  return cheapest.find(({ uid }) => begun.has(uid)) ?? cheapest.find((pod) => available(pod) && !busy(pod));
}

/** What to remember of it, for as long as there are old pods. */
export function roomStatus(
  { now, pool }: Observation,
  fleet: Fleet,
  maker: PodObservation | undefined,
): WorkerPoolStatus["room"] {
  const begun = pool.status.draining.some(({ uid, reason }) => reason === "MakeRoom" && uid === maker?.uid);
  if (maker && !begun) return { since: now, readyReplicas: readyPods(fleet) };
  return fleet.old.length > 0 ? pool.status.room : undefined;
}

function readyPods({ updated, old }: Pick<Fleet, "updated" | "old">): number {
  return [...updated, ...old].filter(available).length;
}
