import type { Observation, PodObservation } from "../observation.ts";
import { available } from "./pods.ts";
import { secondsBetween } from "./time.ts";

/** What a container waits for while all is well; any other reason is one that time alone may not cure. */
const GOING_WELL = new Set(["ContainerCreating", "PodInitializing"]);

/** A worker that ended this often without becoming ready will not start the next time either. */
const RESTARTS = 2;

export interface StartFailure {
  reason: string;
  message: string;
}

/**
 * Why this pod does not start, if it does not: it waits for something that went wrong (an image that cannot be
 * pulled, a crash), it has been restarted again and again without getting ready, or it has taken longer than
 * `rollout.progressDeadlineSeconds` since it got its node. A pod without a node has not failed: see Unschedulable.
 */
export function startFailure(
  pod: PodObservation,
  { now, pool }: Pick<Observation, "now" | "pool">,
): StartFailure | null {
  if (available(pod)) return null;
  const deadline = pool.spec.rollout.progressDeadlineSeconds;
  if (pod.waiting && !GOING_WELL.has(pod.waiting.reason))
    return { reason: pod.waiting.reason, message: `${pod.name}: ${pod.waiting.message || pod.waiting.reason}` };
  if (pod.restarts >= RESTARTS)
    return { reason: "Restarting", message: `${pod.name}: restarted ${pod.restarts} times and is not ready` };
  if (pod.scheduledAt && secondsBetween(notReadySince(pod, pod.scheduledAt), now) > deadline)
    return { reason: "DeadlineExceeded", message: `${pod.name}: has a node, and was not ready within ${deadline} s` };
  return null;
}

/** A pod that was ready once and is not any more gets the deadline anew. */
function notReadySince(pod: PodObservation, scheduledAt: string): string {
  return pod.readyChangedAt && secondsBetween(scheduledAt, pod.readyChangedAt) > 0 ? pod.readyChangedAt : scheduledAt;
}
