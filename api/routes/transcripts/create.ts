import type * as z from "zod";
import { createTranscript as insertTranscript, presentCreated } from "../../../billing/create-transcript.ts";
import { LONGEST_RECORDING_MS, type TranscriptSource } from "../../../billing/duration.ts";
import type { Module } from "../../../billing/prices.ts";
import type { Database } from "../../../storage/database.ts";
import { readFile } from "../../../storage/files.ts";
import type { IdempotencyLease } from "../../../storage/idempotency.ts";
import { ApiError } from "../../errors/api-error.ts";
import { idempotently } from "../../idempotency.ts";
import { metadataText } from "../../metadata.ts";
import { presentCreatedTranscript } from "../../presenters/transcript.ts";
import { type Answer, type Call, route } from "../../route.ts";
import { createdTranscript } from "../../schemas/transcript.ts";
import { createTranscriptRequest } from "../../schemas/transcript-request.ts";
import { normalizeUnderstanding } from "../../schemas/understanding.ts";
import { FILE_ID } from "../files/id.ts";
import { assumedWork } from "./assumed-work.ts";

type Body = z.output<typeof createTranscriptRequest>;

/** `Retry-After` of `concurrency_limit_exceeded` (section 7). */
const CONCURRENCY_RETRY_SECONDS = 30;

export const createTranscript = route({
  operation: "createTranscript",
  method: "POST",
  path: "/v1/transcripts",
  summary: "Starts a transcription; the result is read later, or announced by webhook.",
  access: "transcripts:write",
  request: { json: createTranscriptRequest, idempotencyKey: "optional" },
  success: { status: 202, description: "Accepted: row, hold and work order are written", body: createdTranscript },
  errors: [
    "missing_parameter",
    "invalid_audio_source",
    "unsupported_language",
    "sentiment_scope_not_permitted",
    "invalid_webhook_url",
    "idempotency_key_reused",
    "resource_not_found",
    "audio_duration_exceeded",
    "concurrency_limit_exceeded",
    "insufficient_credit",
  ],
  async handle(call, { database }) {
    const metadata = metadataText(call.text, call.body.metadata);
    const create = (lease: IdempotencyLease | null) => accept(call, database, metadata, lease);
    if (call.idempotencyKey === undefined) return (await create(null)) as Answer;
    return idempotently({
      database,
      scope: { organizationId: call.key.organizationId, route: "POST /v1/transcripts", key: call.idempotencyKey },
      body: call.text,
      run: create,
      replay: (resource) => accepted(presentCreated(resource)),
      signal: call.signal,
      log: call.log,
    });
  },
});

/** Resource, in flight, credit: the last checks, the latter two and everything written in one statement. */
async function accept(
  { key, body }: Call<unknown, unknown, Body>,
  database: Database,
  metadata: string,
  idempotency: IdempotencyLease | null,
): Promise<Answer | undefined> {
  const source = await findSource(database, key.organizationId, body);
  const understanding = normalizeUnderstanding(body.understanding);
  const created = await insertTranscript(database, {
    organizationId: key.organizationId,
    apiKeyId: key.keyId,
    source,
    language: body.language === "auto" ? null : (body.language ?? null),
    languageHints: body.language_hints ?? [],
    understanding,
    modules: Object.keys(understanding) as Module[],
    retention: body.retention ?? null,
    metadata,
    priority: body.priority ?? "standard",
    customVocabulary: (body.custom_vocabulary ?? []).filter((term) => term.trim() !== ""),
    work: assumedWork(source),
    idempotency,
  });
  switch (created.outcome) {
    case "ok":
      return accepted(created);
    case "idempotency_lost":
      return undefined;
    case "file_not_found":
      throw fileNotFound();
    case "concurrency_limit":
      throw new ApiError("concurrency_limit_exceeded", {
        retryAfter: CONCURRENCY_RETRY_SECONDS,
        message: `La organización ya tiene ${created.limit} transcripciones en curso.`,
      });
    case "insufficient_credit":
      throw new ApiError("insufficient_credit");
    case "organization_not_found":
      throw new ApiError("invalid_api_key");
  }
}

function accepted(created: ReturnType<typeof presentCreated>): Answer {
  return { status: 202, body: presentCreatedTranscript(created) };
}

async function findSource(database: Database, organizationId: string, body: Body): Promise<TranscriptSource> {
  if (body.audio_url !== undefined) return { audioUrl: body.audio_url };
  const id = body.file_id ?? "";
  const file = FILE_ID.test(id) ? await readFile(database, organizationId, id) : null;
  if (!file) throw fileNotFound();
  if ((file.durationMs ?? 0) > LONGEST_RECORDING_MS)
    throw new ApiError("audio_duration_exceeded", { param: "file_id" });
  return { fileId: file.id, durationMs: file.durationMs };
}

function fileNotFound(): ApiError {
  return new ApiError("resource_not_found", { param: "file_id", message: "El fichero no existe." });
}
