import type { Database } from "../../storage/database.ts";
import { readTranscriptForWork, readWork, recordRest } from "../../storage/transcripts.ts";
import { GROUPS } from "../../understanding/types.ts";
import { TASK_QUEUES } from "../names.ts";
import type { DatabaseSteps } from "../steps.ts";

/**
 * `assemble`, and then it is written down that only the language queue's steps are left: one for the roles, and one for
 * each group of modules that was asked for. Here, and not in a step of its own, so that it costs no round trip.
 */
export function planUnderstanding(db: Database, assemble: DatabaseSteps["assemble"]): DatabaseSteps["assemble"] {
  return async (input) => {
    const assembled = await assemble(input);
    const { transcriptId } = input;
    const asked = (await readTranscriptForWork(db, transcriptId))?.modules ?? [];
    const groups = Object.values(GROUPS).filter((modules) => modules.some((module) => asked.includes(module)));
    const ms = Math.max(0, ...(await readWork(db, transcriptId)).map(({ plannedMs }) => plannedMs));
    const language = { queue: TASK_QUEUES.language, chunks: 1 + groups.length, ms };
    await recordRest(db, transcriptId, assembled.utterances > 0 ? [language] : []);
    return assembled;
  };
}
