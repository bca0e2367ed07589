import type { Database } from "../storage/database.ts";

export type DeletedTranscript =
  /** `uploadKey`: object of the upload that went with it, null when another transcript uses it or there is none. */
  { outcome: "deleted"; wasInFlight: boolean; uploadKey: string | null } | { outcome: "not_found" };

/**
 * Removes the row, its result and its upload's row; releases hold and slot of one in flight, without an event. Delete
 * and settle lock the row, the first to commit wins. The workflow is cancelled and the objects are removed by whoever
 * claims the outbox row `transcript.delete` that this leaves behind.
 */
export async function deleteTranscript(
  db: Database,
  organizationId: string,
  transcriptId: string,
): Promise<DeletedTranscript> {
  const [row] = await db.$queryRaw<{ answer: Answer }[]>`
    SELECT delete_transcript(${organizationId}::uuid, ${transcriptId}) AS answer`;
  if (!row) throw new Error("delete_transcript answered nothing");
  const { answer } = row;
  if (answer.outcome === "not_found") return { outcome: "not_found" };
  return { outcome: "deleted", wasInFlight: answer.was_in_flight, uploadKey: answer.upload_key };
}

type Answer = { outcome: "deleted"; was_in_flight: boolean; upload_key: string | null } | { outcome: "not_found" };
