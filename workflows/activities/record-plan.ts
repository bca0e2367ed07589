import { raiseHold } from "../../billing/raise-hold.ts";
import * as transcripts from "../../storage/transcripts.ts";
import { StepFailed } from "../failures.ts";
import { TASK_QUEUES } from "../names.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";

/** The real duration is known: hold what it costs, then tell the operator what is to be done. Both repeat safely. */
export function recordPlan({ db }: DatabaseDependencies): DatabaseSteps["recordPlan"] {
  return async ({ transcriptId, queue, durationMs, chunks }) => {
    const { outcome } = await raiseHold(db, transcriptId, durationMs);
    if (outcome === "insufficient_credit") throw new StepFailed("insufficient_credit");
    // The row ended under us; its cancellation is on the way, and no more work should be begun.
    if (outcome === "final" || outcome === "gone") throw new StepFailed("cancelled");
    // Speakers are told apart on the media queue, after the chunks: little work, and no worker for it would be the end.
    const speakers = chunks > 0 ? [{ queue: TASK_QUEUES.media, chunks: 1, ms: 0 }] : [];
    await transcripts.recordPlan(db, transcriptId, [{ queue, chunks, ms: durationMs }, ...speakers]);
  };
}
