import type { Database } from "../storage/database.ts";
import { type TranscriptPrices, transcriptPrices } from "./prices.ts";

/**
 * `raised`: more is held now. `enough`: the hold covered it. `repeated`: done before. `insufficient_credit`: nothing
 * changed, the transcript must fail. `final`, `gone`: it ended or was deleted, stop.
 */
export type RaisedHold = {
  outcome: "raised" | "enough" | "repeated" | "insufficient_credit" | "final" | "gone";
};

/** After the real duration is known: holds what it costs, if that is more than was held. Once a transcript. */
export async function raiseHold(
  db: Database,
  transcriptId: string,
  durationMs: number,
  prices: TranscriptPrices = transcriptPrices,
): Promise<RaisedHold> {
  const [row] = await db.$queryRaw<{ answer: RaisedHold }[]>`
    SELECT raise_hold(${transcriptId}, ${durationMs}::bigint, ${JSON.stringify(prices)}::jsonb) AS answer`;
  if (!row) throw new Error("raise_hold answered nothing");
  return row.answer;
}
