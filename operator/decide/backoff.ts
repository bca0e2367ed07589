import { createFailure, type Observation, type PodObservation } from "../observation.ts";
import type { Backoff } from "../workerpool/types.ts";
import { available, type Fleet } from "./pods.ts";
import { type StartFailure, startFailure } from "./start-failure.ts";
import { later, secondsBetween } from "./time.ts";

/** As the kubelet does with a container that crashes: 10 s, doubled with each failure, 5 minutes at most. */
const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 300;
/** Of templates that are not the present one, e.g. one that was rolled back and may be tried again. */
const MOST_TEMPLATES = 8;

export interface Failing {
  /** What to remember, the present template's entry with it. */
  backoff: Backoff[];
  /** The present template's pods do not start, and none has yet. */
  cannotStart: StartFailure | null;
  /** How many pods may be created now, as far as failures go. */
  mayCreate: number;
}

/**
 * Failures of the present template's pods, and how long to leave it alone. Counts once for each wait, however many
 * pods failed in it. The pods that stand there and fail are kept: the kubelet tries them again, and when what was
 * wrong is outside them (a registry, a Secret) they come up by themselves.
 */
export function failing(observation: Observation, fleet: Fleet): Failing {
  const { now, pool } = observation;
  const standing = fleet.updated.flatMap((pod) => startFailure(pod, observation) ?? []);
  const works = fleet.updated.some(available);
  const failure = newFailure(observation, fleet) ?? (works ? undefined : standing[0]);
  const before = pool.status.backoff.find(({ templateHash }) => templateHash === pool.templateHash);
  const others = pool.status.backoff.filter(
    ({ templateHash, until }) => templateHash !== pool.templateHash && secondsBetween(now, until) > 0,
  );
  const entry = next(before, failure, fleet.updated, observation);
  const waits = entry && secondsBetween(now, entry.until) > 0;
  return {
    backoff: [...others.slice(-(MOST_TEMPLATES - 1)), ...(entry ? [entry] : [])],
    cannotStart: works ? null : (standing[0] ?? null),
    // After a wait one pod tries how it is now, and the others follow when it has shown.
    mayCreate: waits ? 0 : entry ? 1 : Number.POSITIVE_INFINITY,
  };
}

/** A pod that was not let in, or that has ended, since the last decision. */
function newFailure({ failures, pool }: Observation, { ended }: Fleet): StartFailure | undefined {
  const refused = failures.find(({ templateHash }) => templateHash === pool.templateHash);
  if (refused) return refused;
  const pod = ended.find((one) => one.templateHash === pool.templateHash && one.deletedAt === null);
  if (!pod) return undefined;
  const reason = pod.reason || (pod.phase === "Failed" ? "Failed" : "Completed");
  return { reason, message: `${pod.name}: ${pod.message || "its containers have ended"}` };
}

function next(
  before: Backoff | undefined,
  failure: StartFailure | undefined,
  pods: PodObservation[],
  { now, pool: { templateHash } }: Observation,
): Backoff | undefined {
  if (!failure) return before && cured(before, pods) ? undefined : before;
  if (before && secondsBetween(now, before.until) > 0) return before;
  const failures = (before?.failures ?? 0) + 1;
  return {
    templateHash,
    reason: failure.reason.slice(0, 63),
    message: failure.message.slice(0, 4096),
    failures,
    since: before?.since ?? now,
    until: later(now, waitSeconds(failures)),
  };
}

/** What the API server refused is over once it let a pod in; what pods did, once one has got ready since. */
function cured(entry: Backoff, pods: PodObservation[]): boolean {
  const failedAt = later(entry.until, -waitSeconds(entry.failures));
  const since = (time: string | null) => time !== null && secondsBetween(failedAt, time) > 0;
  return refusals.has(entry.reason)
    ? pods.some(({ createdAt }) => since(createdAt))
    : pods.some(({ ready, readyChangedAt }) => ready && since(readyChangedAt));
}

const refusals: ReadonlySet<string> = new Set(createFailure.shape.reason.options);

function waitSeconds(failures: number): number {
  return Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** Math.min(failures - 1, 10));
}
