import type { Observation } from "../observation.ts";
import type { PoolEvent } from "../plan.ts";
import { conditionMeanings } from "../workerpool/reasons.ts";
import type { Condition, ConditionType } from "../workerpool/types.ts";
import type { Desired } from "./desired.ts";

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
    // What the API server says of a template, Progressing says too.
    const trouble = type === "TemplateAccepted" ? null : conditionMeanings[type].trouble;
    const last = pool.status.conditions.find((condition) => condition.type === type);
    if (trouble === null || (last?.status === status && last.reason === reason)) continue;
    if (status === trouble) events.push({ type: "Warning", reason: type === "AtMax" ? "AtMax" : reason, message });
    // What cannot be known any more is not mended.
    else if (last?.status === trouble && status !== "Unknown")
      events.push({ type: "Normal", reason: RESOLVED[type] ?? reason, message });
  }
  return events;
}

const RESOLVED: Partial<Record<ConditionType, string>> = {
  DemandKnown: "DemandKnown",
  Unschedulable: "Scheduled",
  AtMax: "BelowMax",
  SlotsAgree: "SlotsAgree",
};
