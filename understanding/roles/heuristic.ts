import type { Call } from "../types.ts";
import { type Balance, marginOf, weigh } from "./balance.ts";
import { confidenceOf } from "./confidence.ts";
import { lexiconsFor } from "./cues/lexicons.ts";
import { type HeardTurn, hearTurns } from "./evidence.ts";
import { CONFIDENCE } from "./fitted.ts";
import { speakersOf, turnsOf } from "./turns.ts";
import { machineVoices, type Unusual, unusualCourse } from "./unusual.ts";
import type { Vote } from "./vote.ts";

/** Below this the heuristic does not name anybody. */
export const SURE = 0.85;
/** Log-odds of formulas of service that an agent has above the other: of friends, nobody speaks like a company. */
const FORMULAS = 2;

export interface HeuristicVote extends Vote {
  /** Set where the heuristic does not trust itself alone. */
  unusual: Unusual | null;
}

/**
 * Who is the agent, from what is said: greetings, who asks for identification and who gives it, offers of help, holds,
 * promises; problems, wishes, "my line" (docs/decisions/roles.md). Reads nothing but the text and its order. Null when
 * it abstains: another language than Spanish or English, one speaker, too little evidence or evidence against itself.
 */
export function heuristicVote(call: Call): HeuristicVote | null {
  const lexicons = lexiconsFor(call.language);
  const turns = turnsOf(call);
  const speakers = speakersOf(turns);
  if (lexicons.length === 0 || speakers.length < 2) return null;
  const unusual = unusualCourse(turns, speakers, lexicons);
  const people = speakers.filter((speaker) => !machineVoices(turns, lexicons).has(speaker));
  const named = nameThem(people, hearTurns(turns, lexicons));
  return named && { ...named, unusual };
}

/**
 * The speaker who sounds most like an agent and the one who sounds least like one are held against each other, and
 * everybody else against both: who is surely more of an agent than the one, and not surely less than the other, has the
 * other's role.
 */
function nameThem(people: readonly string[], heard: readonly HeardTurn[]): Vote | null {
  const ranked = people.toSorted((one, other) => marginOf(other, one, heard));
  const [most, least] = [ranked[0], ranked.at(-1)];
  if (most === undefined || least === undefined || most === least) return null;
  const vote: Vote = { roles: {}, confidence: 1 };
  for (const speaker of ranked) {
    const asAgent = sureness(weigh(speaker, least, heard));
    const asCustomer = sureness(weigh(most, speaker, heard));
    const role = asAgent > 0 === asCustomer > 0 ? null : asAgent > 0 ? "agent" : "customer";
    vote.roles[speaker] = role;
    if (role) vote.confidence = Math.min(vote.confidence, Math.max(asAgent, asCustomer));
  }
  const roles = Object.values(vote.roles);
  return roles.includes("agent") && roles.includes("customer") ? vote : null;
}

/** The confidence that the first of the two is the agent, or 0 when that is not sure. */
function sureness(balance: Balance): number {
  if (balance.margin <= 0 || balance.formulas - balance.rivals < FORMULAS) return 0;
  const confidence = confidenceOf(balance, CONFIDENCE);
  return confidence >= SURE ? confidence : 0;
}
