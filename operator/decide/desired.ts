import type { Observation } from "../observation.ts";
import type { DecisionReason } from "../workerpool/reasons.ts";
import type { WorkerPoolStatus } from "../workerpool/types.ts";
import type { DemandAnswer } from "./demand.ts";
import { fewestAllowed, mostAllowed, withChange } from "./policies.ts";
import type { Wanted } from "./wanted.ts";
import { stabilise } from "./window.ts";

type ScalingMemory = NonNullable<WorkerPoolStatus["scaling"]>;

export interface Desired {
  pods: number;
  reason: DecisionReason;
  /** A sentence with the numbers. None of them changes while nothing happens. */
  message: string;
  /** What was wanted before limits, windows and policies; for the record. */
  wanted: number;
  memory: ScalingMemory;
}

const NOTHING: ScalingMemory = { lower: [], higher: [], changes: [] };

/**
 * How many pods there should be now, and why.
 *
 * @param wanted what the backlog asks for; null when demand is not known
 * @param busy pods at work, or not answering and therefore maybe at work
 */
export function desiredPods(
  observation: Observation,
  demand: DemandAnswer,
  wanted: Wanted | null,
  busy: number,
): Desired {
  const { pool } = observation;
  const { scaling, replicas: current, paused } = pool.spec;
  const memory = pool.status.scaling ?? NOTHING;
  const still = (reason: DecisionReason, message: string): Desired => ({
    pods: current,
    reason,
    message,
    wanted: current,
    // Back in Auto, windows begin anew: nobody looked at demand meanwhile.
    memory: { ...memory, lower: [], higher: [] },
  });
  if (pool.deleted) return still("Deleted", "the pool is being deleted");
  if (paused) return still("Paused", "spec.paused is true: no pod is touched");
  if (scaling.mode === "Manual") {
    const message = `Manual: spec.replicas is ${current}`;
    if (current <= scaling.maxReplicas) return still("Manual", message);
    return { ...still("AtMax", `${message}, maxReplicas ${scaling.maxReplicas}`), pods: scaling.maxReplicas };
  }
  if (!wanted || !demand.known) return held(observation, busy);
  const { text, pods: asked, reason } = asks(observation, wanted, demand, busy);
  return shaped(observation, { asked, text, reason, wanted: Math.max(wanted.pods, busy), busy });
}

/** Demand is not known: no fewer than there are, whatever else. */
function held({ now, pool }: Observation, busy: number): Desired {
  const { scaling, replicas: current } = pool.spec;
  const pods = within(scaling, Math.max(current, busy));
  // What was wanted lately is no proof of what is wanted now: both windows begin anew.
  const memory = remember({ ...(pool.status.scaling ?? NOTHING), lower: [], higher: [] }, pods - current, now);
  return { pods, reason: "DemandUnknown", message: `demand is not known: held at ${pods}`, wanted: pods, memory };
}

/** What is asked for, within minReplicas and maxReplicas, and in words. */
function asks({ pool }: Observation, wanted: Wanted, demand: DemandAnswer & { known: true }, busy: number) {
  const { scaling } = pool.spec;
  const { outstandingChunks, outstandingSeconds, organizations } = demand.demand;
  const backlog =
    organizations.length === 0
      ? "nothing is outstanding"
      : `${counted(outstandingChunks, "chunk")} (${Math.round(outstandingSeconds)} s) of ` +
        `${counted(organizations.length, "organization")} want ${wanted.pods}`;
  const most = Math.max(wanted.pods, busy);
  const pods = within(scaling, most);
  const working = busy > wanted.pods ? `; ${busy} at work or not answering` : "";
  const asked = (reason: DecisionReason, limit = "") => ({ pods, reason, text: `${backlog}${working}${limit}` });
  if (most > scaling.maxReplicas) return asked("AtMax", `; maxReplicas ${scaling.maxReplicas}`);
  if (most < scaling.minReplicas) return asked(most === 0 ? "Idle" : "AtMin", `; minReplicas ${scaling.minReplicas}`);
  if (busy > wanted.pods) return asked("BusyPods");
  return asked(most === 0 ? "Idle" : "Backlog");
}

/** As far towards what is asked for as windows and policies allow now. */
function shaped(
  { now, pool }: Observation,
  {
    asked,
    text,
    reason,
    wanted,
    busy,
  }: { asked: number; text: string; reason: DecisionReason; wanted: number; busy: number },
): Desired {
  const { scaling } = pool.spec;
  const memory = pool.status.scaling ?? NOTHING;
  const current = within(scaling, pool.spec.replicas);
  const down = stabilise(memory.lower, {
    current,
    wanted: Math.min(asked, current),
    windowSeconds: scaling.scaleDown.stabilizationWindowSeconds,
    now,
  });
  const up = stabilise(memory.higher, {
    current,
    wanted: Math.max(asked, current),
    windowSeconds: scaling.scaleUp.stabilizationWindowSeconds,
    now,
  });
  const pods =
    asked < current
      ? Math.max(down.allowed, fewestAllowed(scaling.scaleDown, current, memory.changes, now))
      : // Pods that are at work are there already, also when somebody has scaled below them.
        Math.max(
          Math.min(up.allowed, mostAllowed(scaling.scaleUp, current, memory.changes, now)),
          within(scaling, Math.min(busy, asked)),
        );
  const next = remember(
    { ...memory, lower: down.levels, higher: up.levels },
    // The change from what is written to what will be, which a limit in the spec may have had a part in.
    pods - pool.spec.replicas,
    now,
  );
  if (pods === asked) return { pods, reason, message: text, wanted, memory: next };
  const limit = asked < current ? limitText(down, scaling.scaleDown) : limitText(up, scaling.scaleUp);
  return {
    pods,
    reason: asked < current ? "ScaleDownLimited" : "ScaleUpLimited",
    message: `${text}; ${pods} for now: ${limit}`,
    wanted,
    memory: next,
  };
}

function limitText(
  { until }: { until: string | null },
  { selectPolicy }: { selectPolicy: "Max" | "Min" | "Disabled" },
): string {
  if (selectPolicy === "Disabled") return "disabled by selectPolicy";
  return until ? `stabilization window until ${until}` : "scaling policies";
}

function remember(memory: ScalingMemory, change: number, now: string): ScalingMemory {
  return change === 0 ? memory : { ...memory, changes: withChange(memory.changes, change, now) };
}

function within({ minReplicas, maxReplicas }: { minReplicas: number; maxReplicas: number }, pods: number): number {
  return Math.min(Math.max(pods, minReplicas), maxReplicas);
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
