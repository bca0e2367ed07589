import type { presentCreated } from "../../billing/create-transcript.ts";
import { wireEur } from "../../billing/money.ts";
import type { TranscriptResult } from "../../storage/results.ts";
import type { ListedTranscript, TranscriptPage } from "../../storage/transcript-list.ts";
import type { Transcript } from "../../storage/transcripts.ts";
import { RawJson, writeArray, writeObject } from "./json.ts";
import { timestamp } from "./time.ts";

/** "Always a constant offset of six minutes after the request" (section 2.5). */
const COMPLETION_OFFSET_MS = 6 * 60_000;

export function presentCreatedTranscript(created: ReturnType<typeof presentCreated>) {
  return {
    id: created.id,
    object: "transcript",
    status: "queued",
    estimated_cost: { eur: wireEur(created.estimatedEur), assumed_seconds: created.assumedSeconds },
    estimated_completion: timestamp(Date.parse(created.createdAt) + COMPLETION_OFFSET_MS),
  };
}

type Head = Pick<Transcript, "id" | "status" | "createdAt" | "completedAt" | "metadata" | "errorMessage">;

/** The short form of section 2.6; `metadata` is the caller's own text. */
function head(row: Head) {
  return {
    id: row.id,
    object: "transcript",
    status: row.status,
    created_at: timestamp(row.createdAt),
    completed_at: row.completedAt && timestamp(row.completedAt),
    metadata: new RawJson(row.metadata),
    error: row.status === "failed" ? { message: row.errorMessage ?? "" } : null,
  };
}

export function presentPendingTranscript(row: Head): string {
  return writeObject(head(row));
}

/** The full form. Put together from text: a ten-hour recording's 90,000 words are not parsed on the way out. */
export function presentCompletedTranscript(row: Transcript, result: TranscriptResult): string {
  return writeObject({
    ...head(row),
    language: row.detectedLanguage,
    language_confidence: row.languageConfidence,
    audio_duration: seconds(row.durationMs),
    billed_duration: (row.billedMinutes ?? 0) * 60,
    speech_duration: seconds(row.speechMs),
    text: result.text,
    words: new RawJson(result.words),
    utterances: new RawJson(result.utterances),
    speaker_role_confidence: result.speakerRoleConfidence,
    understanding: new RawJson(result.understanding),
    pii: result.pii === null ? null : new RawJson(result.pii),
    metrics: new RawJson(result.metrics),
    warnings: result.warnings,
    usage: { total_eur: wireEur(row.costEur ?? "0") },
  });
}

export function presentTranscriptPage({ transcripts, nextBefore }: TranscriptPage): string {
  return writeObject({
    object: "list",
    data: writeArray(transcripts.map(listed)),
    has_more: nextBefore !== null,
    next_before: nextBefore,
  });
}

function listed(row: ListedTranscript): string {
  const completed = row.status === "completed";
  return writeObject({
    ...head(row),
    ...(completed ? { language: row.detectedLanguage, audio_duration: seconds(row.durationMs) } : {}),
  });
}

function seconds(ms: number | null): number {
  return (ms ?? 0) / 1000;
}
