import type { Database } from "../storage/database.ts";
import { newEventId } from "../storage/ids.ts";

/** `final`: it completed or failed before. `gone`: deleted. Neither changes anything. */
export type FailedTranscript = { outcome: "failed" | "final" | "gone" };

/** Status `failed` with a message for the client, hold released, `transcript.failed` event: one transaction. */
export async function failTranscript(db: Database, transcriptId: string, message: string): Promise<FailedTranscript> {
  const [row] = await db.$queryRaw<{ answer: FailedTranscript }[]>`
    SELECT fail_transcript(${transcriptId}, ${message}, ${newEventId()}) AS answer`;
  if (!row) throw new Error("fail_transcript answered nothing");
  return row.answer;
}
