import type { Database } from "../storage/database.ts";
import type { CreatedResource, IdempotencyLease } from "../storage/idempotency.ts";
import { newTranscriptId } from "../storage/ids.ts";
import type { Retention } from "../storage/organizations.ts";
import type { Work } from "../storage/transcripts.ts";
import { assumedMs, type TranscriptSource } from "./duration.ts";
import { type Module, type TranscriptPrices, transcriptPrices } from "./prices.ts";

/** A validated request. Strings hold no NUL character: PostgreSQL has none. */
export interface TranscriptRequest {
  organizationId: string;
  apiKeyId: string | null;
  source: TranscriptSource;
  /** Null is automatic. */
  language: string | null;
  languageHints: readonly string[];
  /** The request's object, as validated. */
  understanding: Readonly<Record<string, unknown>>;
  /** Requested modules: present and neither null nor false. */
  modules: readonly Module[];
  /** Null takes the organization's policy. */
  retention: Retention | null;
  /** JSON text of the request's own `metadata`, `{}` when absent. */
  metadata: string;
  priority: "standard" | "economy";
  customVocabulary: readonly string[];
  /**
   * What the task queues are assumed to get until the plan is recorded, for the operator's demand: e.g. one chunk on
   * `media` and one a five minutes on `speech`, or one on `speech-short`.
   */
  work: readonly Work[];
  /** The lease of the Idempotency-Key; it is finished in the same transaction. */
  idempotency: IdempotencyLease | null;
}

export type CreatedTranscript =
  | {
      outcome: "ok";
      id: string;
      /** ISO 8601 with milliseconds. */
      createdAt: string;
      assumedMs: number;
      /** `estimated_cost.assumed_seconds`. */
      assumedSeconds: number;
      /** Decimal text with nine places. */
      estimatedEur: string;
    }
  | { outcome: "file_not_found" }
  | { outcome: "concurrency_limit"; limit: number }
  | { outcome: "insufficient_credit"; estimatedEur: string }
  /** Another request took the key over: ask `beginIdempotent` again. */
  | { outcome: "idempotency_lost" }
  | { outcome: "organization_not_found" };

/**
 * Row, hold and outbox row (`transcript.start`) in one statement under the organization's lock. Refusals are checked in
 * the order of the type above and take nothing. `created_at` is unique within the organization.
 */
export async function createTranscript(
  db: Database,
  request: TranscriptRequest,
  prices: TranscriptPrices = transcriptPrices,
): Promise<CreatedTranscript> {
  const { source } = request;
  const parameters = {
    id: newTranscriptId(),
    organization_id: request.organizationId,
    api_key_id: request.apiKeyId,
    file_id: "fileId" in source ? source.fileId : null,
    audio_url: "audioUrl" in source ? source.audioUrl : null,
    language: request.language,
    language_hints: request.languageHints,
    understanding: request.understanding,
    modules: request.modules,
    retention: request.retention,
    metadata: request.metadata,
    priority: request.priority,
    custom_vocabulary: request.customVocabulary,
    assumed_ms: assumedMs(source),
    work: request.work,
    idempotency: request.idempotency,
    prices,
  };
  const [row] = await db.$queryRaw<{ answer: Answer }[]>`
    SELECT create_transcript(${JSON.stringify(parameters)}::jsonb) AS answer`;
  if (!row) throw new Error("create_transcript answered nothing");
  const { answer } = row;
  if (answer.outcome === "ok") return { outcome: "ok", ...presentCreated(answer) };
  if (answer.outcome === "insufficient_credit") return { outcome: answer.outcome, estimatedEur: answer.estimated_eur };
  return answer;
}

type Answer =
  | ({ outcome: "ok" } & CreatedResource)
  | { outcome: "insufficient_credit"; estimated_eur: string }
  | { outcome: "concurrency_limit"; limit: number }
  | { outcome: "file_not_found" | "idempotency_lost" | "organization_not_found" };

/** What the 202 says, from a creation or from the resource of its replay. */
export function presentCreated(resource: CreatedResource) {
  return {
    id: resource.id,
    createdAt: resource.created_at,
    assumedMs: resource.assumed_ms,
    assumedSeconds: Math.ceil(resource.assumed_ms / 1000),
    estimatedEur: resource.estimated_eur,
  };
}
