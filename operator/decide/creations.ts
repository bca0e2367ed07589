import type { Observation } from "../observation.ts";
import type { Action } from "../plan.ts";
import { podName } from "../workerpool/pod-name.ts";
import { type Fleet, withoutNode } from "./pods.ts";

/** How many pods of the present template to create. */
export function missingPods({ now, pool }: Observation, fleet: Fleet, desired: number): number {
  const { rollout, scaling } = pool.spec;
  const { updated, old, lost, terminating } = fleet;
  const alive = updated.length + old.length;
  // While one of them finds no node, another beside it would only wait too.
  const crowded = updated.some((pod) => withoutNode(pod, pool.spec, now));
  const surge = old.length > 0 && !crowded ? rollout.maxSurge : 0;
  return Math.max(
    0,
    Math.min(
      desired - updated.length,
      desired + surge - alive,
      // What is going still has its GPU. It is replaced before it is gone only as far as a rollout may surge, so that
      // a node that is drained with a long grace does not hold the work up.
      scaling.maxReplicas + rollout.maxSurge - alive - lost.length - terminating.length,
      // What is on a lost node may never go, and may come back.
      lost.length > 0 || terminating.some(({ nodeLost }) => nodeLost)
        ? scaling.maxReplicas - alive - lost.length - terminating.filter(({ nodeLost }) => nodeLost).length
        : Number.POSITIVE_INFINITY,
    ),
  );
}

/**
 * The creations, each under the lowest number that is free. A controller that died between a creation and the status
 * takes the same name again and is told that it exists; it never makes a second pod.
 */
export function createActions({ pool, pods }: Observation, count: number): (Action & { kind: "create" })[] {
  const { name, templateHash } = pool;
  const taken = new Set(pods.map((pod) => pod.name));
  const actions: (Action & { kind: "create" })[] = [];
  for (let index = 0; actions.length < count; index += 1) {
    const pod = podName(name, templateHash, index);
    if (!taken.has(pod)) actions.push({ kind: "create", pod, index, templateHash });
  }
  return actions;
}
