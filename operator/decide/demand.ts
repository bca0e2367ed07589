import type { DemandObservation, Observation } from "../observation.ts";
import { secondsBetween } from "./time.ts";

/** What waits for one pool. */
export interface Demand {
  organizations: OrganizationDemand[];
  outstandingChunks: number;
  outstandingSeconds: number;
  /** Since when the oldest piece has waited; null when none waits. */
  waitingSince: string | null;
}

/** What of it one organization may have done at a time. */
export interface OrganizationDemand {
  id: string;
  outstandingChunks: number;
  outstandingSeconds: number;
  /** Slots it can use now: one a chunk, no more than it is allowed. */
  slots: number;
}

export type DemandAnswer =
  | { known: true; demand: Demand; ageSeconds: number }
  | { known: false; reason: "NotConfigured" | "NeverAnswered" | "Stale" | "FromTheFuture"; ageSeconds: number | null };

/**
 * What waits for the pool's queues, or why that is not known. An answer is good for `demand.maxAgeSeconds`; one from
 * further ahead than that comes from a clock that cannot be trusted.
 */
export function readDemand({ now, pool: { spec }, demand: answer }: Observation): DemandAnswer {
  if (!spec.demand) return { known: false, reason: "NotConfigured", ageSeconds: null };
  if (!answer) return { known: false, reason: "NeverAnswered", ageSeconds: null };
  const ageSeconds = secondsBetween(answer.observedAt, now);
  if (ageSeconds > spec.demand.maxAgeSeconds) return { known: false, reason: "Stale", ageSeconds };
  if (ageSeconds < -spec.demand.maxAgeSeconds) return { known: false, reason: "FromTheFuture", ageSeconds };
  return { known: true, demand: demandOf(answer, spec.queues, spec.scaling.organizationSlots), ageSeconds };
}

function demandOf(answer: DemandObservation, queues: string[], organizationSlots: number): Demand {
  const times: string[] = [];
  const organizations = answer.organizations.flatMap(({ id, queues: all, speechSlots }) => {
    let outstandingChunks = 0;
    let outstandingSeconds = 0;
    for (const name of queues) {
      const queue = all[name];
      if (!queue) continue;
      outstandingChunks += queue.outstandingChunks;
      outstandingSeconds += queue.outstandingSeconds;
      if (queue.waitingSince) times.push(queue.waitingSince);
    }
    if (outstandingChunks === 0 && outstandingSeconds === 0) return [];
    const cap = Math.min(organizationSlots, speechSlots ?? organizationSlots);
    // Seconds without a chunk: what was uploaded and is not cut yet. It will be at least one.
    return [{ id, outstandingChunks, outstandingSeconds, slots: Math.min(Math.max(1, outstandingChunks), cap) }];
  });
  return {
    organizations,
    outstandingChunks: organizations.reduce((sum, { outstandingChunks }) => sum + outstandingChunks, 0),
    outstandingSeconds: organizations.reduce((sum, { outstandingSeconds }) => sum + outstandingSeconds, 0),
    waitingSince: times.length > 0 ? times.reduce((a, b) => (Date.parse(a) <= Date.parse(b) ? a : b)) : null,
  };
}
