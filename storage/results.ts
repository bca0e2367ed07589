/**
 * Results as they were settled. `words`, `utterances`, `understanding`, `pii` and `metrics` are JSON text: a ten-hour
 * recording has 90,000 words, so responses are put together from text and nothing is parsed.
 */
import type { Database } from "./database.ts";

export interface TranscriptResult {
  text: string;
  /** JSON arrays. */
  words: string;
  utterances: string;
  speakerRoleConfidence: number;
  /** JSON objects; `pii` is null when redaction was not requested. */
  understanding: string;
  pii: string | null;
  metrics: string;
  warnings: string[];
}

/** Null unless the transcript is completed. */
export async function readResult(db: Database, transcriptId: string): Promise<TranscriptResult | null> {
  return db.transcriptResult.findUnique({
    where: { transcriptId },
    omit: { transcriptId: true, srt: true, vtt: true, txt: true },
  });
}

/** Subtitles or plain text; null unless the transcript is completed. */
export async function readSubtitles(
  db: Database,
  transcriptId: string,
  format: "srt" | "vtt" | "txt",
): Promise<string | null> {
  const row = await db.transcriptResult.findUnique({
    where: { transcriptId },
    select: { srt: format === "srt", vtt: format === "vtt", txt: format === "txt" },
  });
  return row?.[format] ?? null;
}
