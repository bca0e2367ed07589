import type { Observation } from "../observation.ts";
import type { PodCounts } from "../plan.ts";
import type { Condition, ConditionType, Draining } from "../workerpool/types.ts";
import type { Failing } from "./backoff.ts";
import type { DemandAnswer } from "./demand.ts";
import type { Desired } from "./desired.ts";
import { type Fleet, withoutNode } from "./pods.ts";
import { secondsBetween } from "./time.ts";

/** What the conditions are drawn from. */
export interface Findings {
  fleet: Fleet;
  counts: PodCounts;
  demand: DemandAnswer;
  desired: Desired;
  failing: Failing;
  draining: Draining[];
}

type Said = Pick<Condition, "status" | "reason" | "message">;

/** Every condition, each with the time at which it last turned. No message changes while nothing happens. */
export function conditions(observation: Observation, findings: Findings): Condition[] {
  const { now, pool } = observation;
  const said: Record<ConditionType, Said> = {
    Ready: ready(observation, findings),
    Progressing: progressing(observation, findings),
    DemandKnown: demandKnown(observation, findings.demand),
    TemplateAccepted: templateAccepted(observation),
    Unschedulable: unschedulable(observation, findings.fleet),
    AtMax: atMax(observation, findings.desired),
    SlotsAgree: slotsAgree(observation, findings.fleet),
  };
  return Object.entries(said).map(([name, { status, reason, message }]) => {
    const type = name as ConditionType;
    const before = pool.status.conditions.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    return {
      type,
      status,
      reason,
      message: message.slice(0, 4096),
      lastTransitionTime,
      observedGeneration: pool.generation,
    };
  });
}

function ready({ pool }: Observation, { counts, desired, failing }: Findings): Said {
  const message = `${counts.ready} of ${desired.pods} pods are ready`;
  if (pool.deleted) return { status: "False", reason: "Deleted", message: "the pool is being deleted" };
  if (counts.ready >= desired.pods)
    return { status: "True", reason: desired.pods === 0 ? "ScaledToZero" : "PodsReady", message };
  if (failing.cannotStart)
    return { status: "False", reason: "TemplateCannotStart", message: `${message}; ${failing.cannotStart.message}` };
  return { status: "False", reason: "PodsStarting", message };
}

/** False means that it does not go on by itself; somebody should look. */
function progressing(observation: Observation, { fleet, counts, desired, failing, draining }: Findings): Said {
  const { now, pool } = observation;
  const { updated, old } = fleet;
  if (pool.spec.paused) return { status: "False", reason: "Paused", message: "spec.paused is true" };
  if (pool.templateCheck.verdict === "Refused")
    return { status: "False", reason: "TemplateRefused", message: pool.templateCheck.message };
  if (failing.cannotStart) {
    const stay = old.length > 0 ? `; ${old.length} pods of the old template stay` : "";
    return { status: "False", reason: "TemplateCannotStart", message: `${failing.cannotStart.message}${stay}` };
  }
  const entry = failing.backoff.find(({ templateHash }) => templateHash === pool.templateHash);
  if (entry && desired.pods > updated.length)
    return {
      status: "False",
      reason: entry.reason,
      message: `${entry.message}; ${entry.failures} in a row, no new pod before ${entry.until}`,
    };
  const overdue = draining.filter(({ since }) => secondsBetween(since, now) > pool.spec.drain.timeoutSeconds);
  if (overdue.length > 0)
    return {
      status: "False",
      reason: "DrainOverdue",
      message: `not drained after ${pool.spec.drain.timeoutSeconds} s: ${overdue.map(({ pod }) => pod).join(", ")}`,
    };
  if (old.length > 0) {
    const message = `${updated.length} pods of the present template, ${old.length} of an old one`;
    return { status: "True", reason: "RollingOut", message };
  }
  if (counts.ready < desired.pods || updated.length > desired.pods)
    return { status: "True", reason: "Scaling", message: `${updated.length} pods on the way to ${desired.pods}` };
  return { status: "True", reason: "Stable", message: "every pod is of the present template, and as many as desired" };
}

function demandKnown({ demandError, demand, pool: { spec } }: Observation, answer: DemandAnswer): Said {
  if (answer.known) return { status: "True", reason: "Answered", message: "the API says what waits" };
  const error = demandError ? `: ${demandError}` : "";
  switch (answer.reason) {
    case "NotConfigured":
      return { status: "Unknown", reason: "NotConfigured", message: "spec.demand is not set" };
    case "NeverAnswered":
      return { status: "False", reason: "NeverAnswered", message: `no answer of ${spec.demand?.url} yet${error}` };
    case "Stale":
      return {
        status: "False",
        reason: "Stale",
        message: `the last answer is of ${demand?.observedAt}, older than ${spec.demand?.maxAgeSeconds} s${error}`,
      };
    case "FromTheFuture":
      return {
        status: "False",
        reason: "FromTheFuture",
        message: `the API's clock is more than ${spec.demand?.maxAgeSeconds} s ahead of the operator's`,
      };
  }
}

function templateAccepted({ pool: { templateCheck } }: Observation): Said {
  const { verdict, reason, message } = templateCheck;
  return { status: verdict === "Accepted" ? "True" : verdict === "Refused" ? "False" : "Unknown", reason, message };
}

function unschedulable({ now, pool }: Observation, { updated, old }: Fleet): Said {
  const pods = [...updated, ...old].filter((pod) => withoutNode(pod, pool.spec, now));
  const [first] = pods;
  if (!first) return { status: "False", reason: "NoneWaits", message: "no pod waits for a node" };
  const more = pods.length > 1 ? ` (and ${pods.length - 1} more)` : "";
  return {
    status: "True",
    reason: "NoNodeFits",
    message: `${first.name}${more} since ${first.unschedulable?.since}: ${first.unschedulable?.message}`,
  };
}

function atMax({ pool: { spec } }: Observation, { wanted, pods }: Desired): Said {
  const { maxReplicas } = spec.scaling;
  if (wanted > maxReplicas)
    return { status: "True", reason: "MaxReplicas", message: `${wanted} wanted, maxReplicas ${maxReplicas}` };
  return { status: "False", reason: "BelowMax", message: `${pods} of at most ${maxReplicas}` };
}

/** Pods of an old template may well have other counts than the present spec. */
function slotsAgree({ pool: { spec } }: Observation, { updated }: Fleet): Said {
  const { slotsPerPod } = spec.scaling;
  const reported = new Set(updated.flatMap(({ worker }) => (worker ? [worker.slots] : [])));
  if (reported.size === 0)
    return { status: "Unknown", reason: "NoneAnswers", message: "no worker of the present template answers" };
  const others = [...reported].filter((slots) => slots !== slotsPerPod).sort((a, b) => a - b);
  if (others.length === 0)
    return { status: "True", reason: "AsReported", message: `slotsPerPod is ${slotsPerPod}, as the workers report` };
  const message = `slotsPerPod is ${slotsPerPod}, and workers report ${others.join(" and ")}`;
  return { status: "False", reason: "SlotsDiffer", message };
}
