import type { Database } from "../storage/database.ts";
import { newEventId } from "../storage/ids.ts";
import { type Module, type TranscriptPrices, transcriptPrices } from "./prices.ts";

/** A finished transcript. `words`, `utterances`, `understanding`, `pii` and `metrics` are JSON text. */
export interface Settlement {
  transcriptId: string;
  language: string;
  languageConfidence: number;
  /** The figure that is billed: started minutes of it. */
  durationMs: number;
  speechMs: number;
  text: string;
  words: string;
  utterances: string;
  srt: string;
  vtt: string;
  txt: string;
  speakerRoleConfidence: number;
  understanding: string;
  pii: string | null;
  warnings: readonly string[];
  metrics: string;
  /** Modules that gave a result: only these are billed. */
  delivered: readonly Module[];
}

/** `repeated`: settled before. `final`: it failed before. `gone`: deleted before. None of these changes anything. */
export type Settled =
  | { outcome: "settled" | "repeated"; chargedEur: string; writtenOffEur: string }
  | { outcome: "final" | "gone" };

/**
 * Result, charge at the month's tier, release of the rest, `transcript.completed` and credit events: one transaction.
 * The charge is at most what was held and is spendable; the rest is written off, so that no balance falls below zero.
 */
export async function settleTranscript(
  db: Database,
  result: Settlement,
  prices: TranscriptPrices = transcriptPrices,
): Promise<Settled> {
  const parameters = {
    id: result.transcriptId,
    language: result.language,
    language_confidence: result.languageConfidence,
    duration_ms: result.durationMs,
    speech_ms: result.speechMs,
    speaker_role_confidence: result.speakerRoleConfidence,
    warnings: result.warnings,
    metrics: result.metrics,
    delivered: result.delivered,
    // transcript.completed, credit.low, credit.exhausted; what does not fire leaves its id unused.
    event_ids: [newEventId(), newEventId(), newEventId()],
    prices,
  };
  const [row] = await db.$queryRaw<{ answer: Answer }[]>`
    SELECT settle_transcript(${JSON.stringify(parameters)}::jsonb, ${result.text}, ${result.words},
      ${result.utterances}, ${result.srt}, ${result.vtt}, ${result.txt}, ${result.understanding},
      ${result.pii}) AS answer`;
  if (!row) throw new Error("settle_transcript answered nothing");
  const { answer } = row;
  if (!("charged_eur" in answer)) return answer;
  return { outcome: answer.outcome, chargedEur: answer.charged_eur, writtenOffEur: answer.written_off_eur };
}

type Answer =
  | { outcome: "settled" | "repeated"; charged_eur: string; written_off_eur: string }
  | { outcome: "final" | "gone" };
