import type { ScalingSpec } from "../workerpool/types.ts";
import type { Demand } from "./demand.ts";

export interface Wanted {
  /** Each organization's slots, summed. */
  slots: number;
  /** Seconds of audio that can be worked on within the target wait, each organization's summed. */
  seconds: number;
  /** Pods that so many slots need. */
  bySlots: number;
  /** Pods that do so many seconds within the target wait. */
  bySeconds: number;
  /** The lower of the two, and at least one while anything is outstanding. */
  pods: number;
}

/**
 * How many pods the backlog wants, before limits.
 *
 * An organization's seconds count only as far as its own slots do them within the wait: work beyond that is behind
 * its own earlier work, and more pods would not bring it forward. So an organization alone never asks for more pods
 * than its slots fill, and a chunk that is longer than the wait asks for one slot and no more.
 *
 * @param speed audio-seconds that a slot does in a second
 */
export function wantedPods(demand: Demand, scaling: ScalingSpec, speed: number): Wanted {
  const perSlot = scaling.targetWaitSeconds * speed;
  let slots = 0;
  let seconds = 0;
  for (const organization of demand.organizations) {
    slots += organization.slots;
    seconds += Math.min(organization.outstandingSeconds, organization.slots * perSlot);
  }
  const bySlots = Math.ceil(slots / scaling.slotsPerPod);
  const bySeconds = roundUp(seconds / (perSlot * scaling.slotsPerPod));
  const outstanding = demand.outstandingChunks > 0 || demand.outstandingSeconds > 0;
  return { slots, seconds, bySlots, bySeconds, pods: Math.max(Math.min(bySlots, bySeconds), outstanding ? 1 : 0) };
}

/** 3.0000000000000004 pods are 3. */
function roundUp(pods: number): number {
  return Math.max(0, Math.ceil(pods - 1e-9));
}
