import { isDeepStrictEqual } from "node:util";
import type { Observation, PodObservation } from "../observation.ts";
import type { Action, Decision, Plan } from "../plan.ts";
import { POOL_LABEL } from "../workerpool/group.ts";
import type { Draining, WorkerPoolStatus } from "../workerpool/types.ts";
import { type Failing, failing } from "./backoff.ts";
import { conditions } from "./conditions.ts";
import { createActions, missingPods } from "./creations.ts";
import { type Demand, readDemand } from "./demand.ts";
import { type Desired, desiredPods } from "./desired.ts";
import { poolEvents } from "./events.ts";
import { type Leaving, leavingPods } from "./leaving.ts";
import { roomStatus } from "./making-room.ts";
import { busy, countPods, drained, draining, type Fleet, notStarted, sortPods, unreachable } from "./pods.ts";
import { measuredSpeed } from "./speed.ts";
import { wantedPods } from "./wanted.ts";

/**
 * What to do about one pool. A function of the observation alone: no clock, no chance, nothing is asked or written;
 * what it has to remember is in the status that it answers. The same observation always gives the same plan, which is
 * what `escriba operator replay` relies on.
 */
export function decide(observation: Observation): Plan {
  const { now, pool } = observation;
  const fleet = sortPods(observation);
  const counts = countPods(fleet);
  const demand = readDemand(observation);
  const { speed, measured } = measuredSpeed(observation);
  const wanted = demand.known ? wantedPods(demand.demand, pool.spec.scaling, speed) : null;
  const desired = desiredPods(observation, demand, wanted, busyPods(observation, fleet));
  const failures = failing(observation, fleet);
  const hands =
    pool.deleted || pool.spec.paused
      ? { actions: [], draining: pool.status.draining, room: pool.status.room }
      : pods(observation, fleet, desired, failures);

  const { decision: last } = pool.status;
  const turned = last?.reason !== desired.reason || last.desired !== desired.pods;
  const actions = [...scaleAction(observation, desired), ...hands.actions];
  const decision: Decision = {
    reason: desired.reason,
    message: desired.message,
    current: pool.spec.replicas,
    desired: desired.pods,
    changed: turned || actions.length > 0,
    counts,
    inputs: {
      demandAgeSeconds: demand.ageSeconds,
      outstandingChunks: demand.known ? demand.demand.outstandingChunks : 0,
      outstandingSeconds: demand.known ? demand.demand.outstandingSeconds : 0,
      slots: wanted?.slots ?? 0,
      seconds: wanted?.seconds ?? 0,
      speed,
      bySlots: wanted?.bySlots ?? 0,
      bySeconds: wanted?.bySeconds ?? 0,
      wanted: desired.wanted,
    },
  };
  const findings = { fleet, counts, demand, desired, failing: failures, draining: hands.draining };
  const status: WorkerPoolStatus = {
    observedGeneration: pool.generation,
    conditions: conditions(observation, findings),
    desiredReplicas: desired.pods,
    replicas: counts.updated + counts.old,
    readyReplicas: counts.ready,
    busyReplicas: counts.busy,
    updatedReplicas: counts.updated,
    drainingReplicas: counts.draining,
    pendingReplicas: counts.pending,
    selector: `${POOL_LABEL}=${pool.name}`,
    templateHash: pool.templateHash,
    decision: {
      reason: decision.reason,
      message: decision.message,
      desired: decision.desired,
      at: turned ? now : last.at,
    },
    ...(demand.known && { demand: demandStatus(demand.demand) }),
    ...(measured && { speed: measured }),
    scaling: desired.memory,
    draining: hands.draining,
    ...(hands.room && { room: hands.room }),
    backoff: failures.backoff,
  };
  return {
    actions,
    status,
    statusChanged: !isDeepStrictEqual(status, pool.status),
    decision,
    events: poolEvents(observation, desired, status.conditions),
  };
}

interface Hands {
  actions: Action[];
  draining: Draining[];
  room: WorkerPoolStatus["room"];
}

/** What to do with the pods. */
function pods(observation: Observation, fleet: Fleet, desired: Desired, failures: Failing): Hands {
  const { now, pool } = observation;
  const refused = pool.templateCheck.verdict === "Refused";
  const leaving = leavingPods(observation, fleet, desired.pods, refused || failures.cannotStart !== null);
  const goes = new Set(leaving.map(({ pod }) => pod.uid));
  const missing = refused ? 0 : Math.min(missingPods(observation, fleet, desired.pods), failures.mayCreate);
  const since = new Map(pool.status.draining.map((entry) => [entry.uid, entry.since]));
  return {
    actions: [
      ...[...fleet.updated, ...fleet.old]
        .filter((pod) => draining(pod) && !goes.has(pod.uid))
        .map(({ name, uid }): Action => ({ kind: "undrain", pod: name, uid })),
      ...fleet.ended.filter(({ deletedAt }) => deletedAt === null).map((pod) => remove(pod, "Ended")),
      ...leaving.flatMap(farewell),
      ...createActions(observation, missing),
    ],
    draining: leaving
      .filter(({ pod }) => !notStarted(pod))
      .map(({ pod, reason }) => ({ pod: pod.name, uid: pod.uid, since: since.get(pod.uid) ?? now, reason })),
    room: roomStatus(observation, fleet, leaving.find(({ reason }) => reason === "MakeRoom")?.pod),
  };
}

/**
 * The next step of a pod that is to go. Deleted is only what has not started, or has said itself that it holds no
 * permit and does no work; one that does not answer is left alone until it does.
 */
function farewell({ pod, reason }: Leaving): Action[] {
  if (notStarted(pod)) return [remove(pod, "NotStarted")];
  if (drained(pod)) return [remove(pod, "Drained")];
  if (unreachable(pod) || draining(pod)) return [];
  return [{ kind: "drain", pod: pod.name, uid: pod.uid, reason }];
}

function remove(pod: PodObservation, reason: "NotStarted" | "Drained" | "Ended"): Action {
  return { kind: "delete", pod: pod.name, uid: pod.uid, resourceVersion: pod.resourceVersion, reason };
}

/** Pods that must not be scaled away. What already drains has been given up, whether it answers or not. */
function busyPods({ pool }: Observation, { updated, old }: Fleet): number {
  const begun = new Set(pool.status.draining.map(({ uid }) => uid));
  return [...updated, ...old].filter((pod) => busy(pod) && !draining(pod) && !(unreachable(pod) && begun.has(pod.uid)))
    .length;
}

function scaleAction({ pool: { spec, deleted } }: Observation, { pods: to }: Desired): Action[] {
  if (spec.scaling.mode !== "Auto" || spec.paused || deleted || to === spec.replicas) return [];
  return [{ kind: "scale", from: spec.replicas, to }];
}

function demandStatus({ organizations, outstandingChunks, outstandingSeconds, waitingSince }: Demand) {
  return {
    organizations: organizations.length,
    outstandingChunks,
    outstandingSeconds: Math.round(outstandingSeconds),
    ...(waitingSince && { waitingSince }),
  };
}
