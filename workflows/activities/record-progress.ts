import * as transcripts from "../../storage/transcripts.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";

/** Totals, so that a late or repeated report takes nothing back. */
export function recordProgress({ db }: DatabaseDependencies): DatabaseSteps["recordProgress"] {
  return ({ transcriptId, queue, doneChunks, doneMs }) =>
    transcripts.recordProgress(db, transcriptId, { queue, chunks: doneChunks, ms: doneMs });
}
