import type { Observation } from "../observation.ts";
import type { PoolEvent } from "../plan.ts";
import type { Condition, ConditionType } from "../workerpool/types.ts";
import type { Desired } from "./desired.ts";

/** The value of each condition that is worth a warning when it sets in. */
const TROUBLE: Record<ConditionType, Condition["status"] | null> = {
  // A pool that starts its pods is not ready, and nothing is wrong with that.
  Ready: null,
  Progressing: "False",
  DemandKnown: "False",
  // Progressing says so.
  TemplateAccepted: null,
  Unschedulable: "True",
  AtMax: "True",
};

/** What is new with this decision: a change of the desired count, and conditions that turned or have another reason. */
export function poolEvents({ pool }: Observation, desired: Desired, conditions: Condition[]): PoolEvent[] {
  const events: PoolEvent[] = [];
  const before = pool.status.desiredReplicas ?? 0;
  if (desired.pods !== before)
    events.push({
      type: "Normal",
      reason: desired.pods > before ? "ScaledUp" : "ScaledDown",
      message: `from ${before} to ${desired.pods}: ${desired.message}`,
    });
  for (const { type, status, reason, message } of conditions) {
    const trouble = TROUBLE[type];
    const last = pool.status.conditions.find((condition) => condition.type === type);
    if (trouble === null || (last?.status === status && last.reason === reason)) continue;
    if (status === trouble) events.push({ type: "Warning", reason: type === "AtMax" ? "AtMax" : reason, message });
    else if (last?.status === trouble) events.push({ type: "Normal", reason: RESOLVED[type] ?? reason, message });
  }
  return events;
}

const RESOLVED: Partial<Record<ConditionType, string>> = {
  DemandKnown: "DemandKnown",
  Unschedulable: "Scheduled",
  AtMax: "BelowMax",
};
