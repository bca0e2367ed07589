import { raiseHold } from "../../billing/raise-hold.ts";
import * as transcripts from "../../storage/transcripts.ts";
import { StepFailed } from "../failures.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";

/** The real duration is known: hold what it costs, then tell the operator what is to be done. Both repeat safely. */
export function recordPlan({ db }: DatabaseDependencies): DatabaseSteps["recordPlan"] {
  return async ({ transcriptId, queue, durationMs, chunks }) => {
    const { outcome } = await raiseHold(db, transcriptId, durationMs);
    if (outcome === "insufficient_credit") throw new StepFailed("insufficient_credit");
    // The row ended under us; its cancellation is on the way, and no more work should be begun.
    if (outcome === "final" || outcome === "gone") throw new StepFailed("cancelled");
    await transcripts.recordPlan(db, transcriptId, [{ queue, chunks, ms: durationMs }]);
  };
}
