import type { TranscriptRequest } from "../../billing/create-transcript.ts";
import { addCredit } from "../../billing/credit.ts";
import type { Module } from "../../billing/prices.ts";
import type { Settlement } from "../../billing/settle-transcript.ts";
import type { Database } from "../../storage/database.ts";
import { createFile, type File } from "../../storage/files.ts";
import { newFileId, randomBase62 } from "../../storage/ids.ts";
import { keys } from "../../storage/keys.ts";
import { createOrganization, type Organization } from "../../storage/organizations.ts";

/** An organization with credit, under a slug of its own. */
export async function newOrganization(
  db: Database,
  options: { creditEur?: string; creditLowThresholdEur?: string } = {},
): Promise<Organization> {
  const { creditLowThresholdEur = null } = options;
  const organization = await createOrganization(db, {
    slug: `org-${randomBase62(12).toLowerCase()}`,
    creditLowThresholdEur,
  });
  if (options.creditEur) {
    await addCredit(db, { organizationId: organization.id, amountEur: options.creditEur, reference: "first" });
  }
  return organization;
}

/** An uploaded file's row; there is no object behind it. */
export async function newFile(db: Database, organizationId: string, durationMs: number | null): Promise<File> {
  const id = newFileId();
  return createFile(db, {
    id,
    organizationId,
    filename: "call.wav",
    bytes: 32_044,
    contentType: "audio/wav",
    format: "wav",
    durationMs,
    channels: 1,
    objectKey: keys.upload(organizationId, id),
    expiresAt: null,
  });
}

export function transcriptRequest(
  organizationId: string,
  source: TranscriptRequest["source"],
  changes: Partial<TranscriptRequest> = {},
): TranscriptRequest {
  return {
    organizationId,
    apiKeyId: null,
    source,
    language: null,
    languageHints: [],
    understanding: {},
    modules: [],
    retention: null,
    metadata: "{}",
    priority: "standard",
    customVocabulary: [],
    work: [{ queue: "speech", chunks: 1, ms: 60_000 }],
    idempotency: null,
    ...changes,
  };
}

export function settlement(
  transcriptId: string,
  durationMs: number,
  delivered: readonly Module[] = [],
  changes: Partial<Settlement> = {},
): Settlement {
  return {
    transcriptId,
    language: "en",
    languageConfidence: 0.98,
    durationMs,
    speechMs: durationMs,
    text: "hello",
    words: '[{"text":"hello","start":0,"end":0.5,"method":"approx"}]',
    utterances: '[{"speaker":null,"speakerRole":null,"text":"hello","start":0,"end":0.5}]',
    srt: "1\n00:00:00,000 --> 00:00:00,500\nhello\n",
    vtt: "WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nhello\n",
    txt: "hello\n",
    speakerRoleConfidence: 0,
    understanding: "{}",
    pii: null,
    warnings: ["diarization_unavailable"],
    metrics: JSON.stringify({
      queue_seconds: 0.1,
      processing_seconds: 2,
      real_time_factor: 0.02,
      chunks: 1,
      retried_windows: 0,
      model: "service-scribe-1",
      asr_seconds: 1,
      understanding_seconds: 0,
      prompt_version: null,
    }),
    delivered,
    ...changes,
  };
}
