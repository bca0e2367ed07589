import * as z from "zod";
import type { Call } from "../types.ts";
import { PASS } from "./calibration/pass.ts";
import { type ModelVoteParts, modelVote, promptFingerprint } from "./model-vote.ts";
import type { Vote } from "./vote.ts";

/** What `escriba roles calibrate` found of one model. */
const calibration = z.strictObject({
  /** The server's own name for the model, as in ESCRIBA_UPSTREAMS. */
  model: z.string().min(1),
  /** Of the question that it was asked. */
  prompt: z.string().min(1),
  calls: z.number().int().min(0),
  answered: z.number().int().min(0),
  /** Of its answers, those that were right, weighted as real calls are mixed. */
  precision: z.number().min(0).max(1),
});

export type Calibration = z.output<typeof calibration>;

/** Field for a process's settings: the JSON text that `escriba roles calibrate` prints; "" for none. */
export const calibrationSetting = () =>
  z
    .string()
    .default("")
    .transform((text, context) => {
      if (text === "") return null;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(calibration.nullable())
    .describe(
      "Printed by `escriba roles calibrate` for the model that reads transcripts. With it the model has a vote on who is the agent and who the customer; without it, or with that of another model or version, only the heuristic has.",
    );

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
