import type { Call } from "../types.ts";
import { PASS } from "./calibration/pass.ts";
import type { Calibration } from "./calibration-setting.ts";
import { type ModelVoteParts, modelVote, promptFingerprint } from "./model-vote.ts";
import type { Vote } from "./vote.ts";

/** Why a model may not vote; null when it may. */
export type Barred = "not calibrated" | "another model" | "another prompt" | "failed";

export function barred(found: Calibration | null, model: string | undefined): Barred | null {
  if (!found) return "not calibrated";
  if (found.model !== model) return "another model";
  if (found.prompt !== promptFingerprint()) return "another prompt";
  return found.answered > 0 && found.precision >= PASS ? null : "failed";
}

/** The vote of a model that may vote, as sure as it was right on the calibration calls. */
export function calibratedVote(found: Calibration, parts: ModelVoteParts): (call: Call) => Promise<Vote | null> {
  // Laplace: no sample makes certain.
  const confidence = (found.precision * found.answered + 1) / (found.answered + 2);
  return async (call) => {
    const roles = await modelVote(call, parts);
    return roles && { roles, confidence };
  };
}
