import type { Calibration } from "../calibration-setting.ts";
import { type ModelVoteParts, modelVote, promptFingerprint } from "../model-vote.ts";
import { type Score, type Scored, score } from "./score.ts";
import { calibrationTemplates, drawCalls } from "./sets.ts";
import type { WrittenCall } from "./templates.ts";

/** How the calls come to the model: over a fair line, and with the beginning missing. */
const HEARD = ["recognised", "late"];
const SEED = 9;

/** The calls that a model is asked about: every template, under each of the two. */
export function callsForModel(): WrittenCall[] {
  return drawCalls(calibrationTemplates(), 1, SEED).filter(({ disturbance }) => HEARD.includes(disturbance));
}

/**
 * Asks the model about every call, `atOnce` at a time. Rejects with the signal's reason; a server that does not answer is
 * an abstention, so look at `answered`.
 */
export async function calibrateModel(
  parts: ModelVoteParts,
  {
    calls = callsForModel(),
    atOnce,
    onCall,
  }: { calls?: WrittenCall[]; atOnce: number; onCall?: (done: number) => void },
): Promise<{ calibration: Calibration; score: Score; scored: Scored[] }> {
  const scored: Scored[] = [];
  let next = 0;
  const lane = async () => {
    while (next < calls.length) {
      const written = calls[next++] as WrittenCall;
      const roles = await modelVote(written.call, parts);
      scored.push({ written, vote: roles && counts(roles) ? { roles, confidence: 1 } : null });
      onCall?.(scored.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, calls.length) }, lane));
  const result = score(scored);
  const calibration = {
    model: parts.client.settings.model,
    prompt: promptFingerprint(),
    calls: result.calls,
    answered: result.answered,
    precision: Math.round(result.precision * 10_000) / 10_000,
  };
  return { calibration, score: result, scored };
}

/** Roles of one side only are no answer (`combine`). */
function counts(roles: Record<string, string | null>): boolean {
  const given = Object.values(roles);
  return given.includes("agent") && given.includes("customer");
}
