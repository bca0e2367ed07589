import type { Call, Roles } from "../types.ts";
import { combine, NOBODY } from "./combine.ts";
import { heuristicVote } from "./heuristic.ts";
import type { Vote } from "./vote.ts";

/** Warnings of a call with which there is nobody to tell apart (interface specification, 2.8). */
const ONE_VOICE = ["diarization_single_speaker", "diarization_unavailable"];

/**
 * Who in the call is the agent and who the customer: attributed, or null, never guessed. `askModel` is the language
 * model's vote, absent when no model may vote; it answers null when it abstains, and is asked only about a call in which
 * two or more speak. Rejects as it does.
 */
export async function attributeRoles(
  { call, warnings }: { call: Call; warnings: readonly string[] },
  askModel?: (call: Call) => Promise<Vote | null>,
): Promise<Roles> {
  const speakers = new Set(call.utterances.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])));
  if (speakers.size < 2 || warnings.some((warning) => ONE_VOICE.includes(warning))) return NOBODY;
  return combine(heuristicVote(call), askModel ? await askModel(call) : null);
}
