import type { Role, Roles } from "../types.ts";
import type { HeuristicVote } from "./heuristic.ts";
import type { Vote } from "./vote.ts";

/** Nobody has a role. */
export const NOBODY: Roles = { roles: {}, confidence: 0, warnings: [] };

/**
 * The roles that the votes make. Null is a voter that abstained, or that may not vote.
 *
 * Equal votes are a result, as sure as the surer one; what only one of them knows of a speaker is taken from it. Where
 * they contradict each other nobody has a role, and `attribution_heuristic_disagrees` says why. One vote alone counts
 * with its own confidence, but not the heuristic's in a call of unusual course.
 */
export function combine(heuristic: HeuristicVote | null, model: Vote | null): Roles {
  if (!heuristic && !model) return NOBODY;
  if (!heuristic || !model) {
    const [only] = [heuristic, model].filter((vote) => vote !== null);
    return only && !heuristic?.unusual ? settled(only.roles, only.confidence) : NOBODY;
  }
  if (contradict(heuristic, model)) return { roles: {}, confidence: 0, warnings: ["attribution_heuristic_disagrees"] };
  const agreed = heuristic.unusual ? common(heuristic, model) : { ...model.roles, ...known(heuristic) };
  return settled(agreed, Math.max(heuristic.confidence, model.confidence));
}

/** There is no agent without a customer, nor the other way round: one of them alone is not worth saying. */
function settled(roles: Record<string, Role | null>, confidence: number): Roles {
  const given = Object.values(roles);
  if (!given.includes("agent") || !given.includes("customer")) return NOBODY;
  return { roles, confidence: Math.round(confidence * 1_000) / 1_000, warnings: [] };
}

function contradict(one: Vote, other: Vote): boolean {
  const others = known(other);
  return Object.entries(known(one)).some(
    ([speaker, role]) => others[speaker] !== undefined && others[speaker] !== role,
  );
}

/** What both say of the same speaker. */
function common(one: Vote, other: Vote): Record<string, Role | null> {
  return Object.fromEntries(
    Object.entries(one.roles).map(([speaker, role]) => [speaker, other.roles[speaker] === role ? role : null]),
  );
}

function known({ roles }: Vote): Record<string, Role> {
  return Object.fromEntries(
    Object.entries(roles).flatMap(([speaker, role]) => (role === null ? [] : [[speaker, role] as const])),
  );
}
