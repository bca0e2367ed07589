import * as z from "zod";
import { isLanguage } from "../../speech/languages.ts";
import { RETENTIONS } from "../../storage/organizations.ts";
import { STATUSES } from "../../storage/transcripts.ts";
import { euros, optional, text, timestamp } from "./text.ts";
import { understandingRequest } from "./understanding.ts";

export const MAX_VOCABULARY_TERMS = 1_000;
export const MAX_TERM_CHARACTERS = 80;
export const MAX_LANGUAGE_HINTS = 10;
const MAX_URL_CHARACTERS = 2_048;

const languageCode = z.string().refine(isLanguage, { error: "unsupported_language" });
const language = z.string().refine((code) => code === "auto" || isLanguage(code), { error: "unsupported_language" });

/** Where it leads is judged by the workflow, when it is fetched; here only that it is an address at all. */
const audioUrl = text(MAX_URL_CHARACTERS).refine(isFetchable, { error: "debe ser una URL http o https" });

function isFetchable(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" && url.username === "" && url.password === ""
  );
}

/** Accepted and without effect (section 2.4): any JSON value. */
const ignored = z.unknown().optional().meta({ description: "Accepted and ignored." });
/** Webhooks are registered on /v1/webhooks, never with a request. */
const refused = z.null({ error: "invalid_webhook_url" }).optional();

/** Section 2.4. `metadata` is checked by metadata.ts on its own text, because it must be given back unchanged. */
export const createTranscriptRequest = z
  .strictObject({
    file_id: optional(z.string()),
    audio_url: optional(audioUrl),
    language: optional(language),
    language_hints: optional(z.array(languageCode).max(MAX_LANGUAGE_HINTS)),
    understanding: optional(understandingRequest),
    retention: optional(z.enum(RETENTIONS)),
    metadata: optional(
      z.custom<object>(isObject, { error: "debe ser un objeto" }).meta({ override: { type: "object" } }),
    ),
    priority: optional(z.enum(["standard", "economy"])),
    custom_vocabulary: optional(z.array(text(MAX_TERM_CHARACTERS)).max(MAX_VOCABULARY_TERMS)),
    speaker_labels: ignored,
    speakers_expected: ignored,
    channels: ignored,
    word_timestamps: ignored,
    language_confidence_threshold: ignored,
    webhook_url: refused,
    webhook_auth_header: refused,
    webhook_include_result: refused,
  })
  .refine(({ file_id, audio_url }) => (file_id === undefined) !== (audio_url === undefined), {
    error: "invalid_audio_source",
  })
  .meta({ id: "TranscriptRequest" });

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Section 2.5. */
export const createdTranscript = z
  .strictObject({
    id: z.string(),
    object: z.literal("transcript"),
    status: z.literal("queued"),
    estimated_cost: z.strictObject({ eur: euros, assumed_seconds: z.int() }),
    estimated_completion: timestamp,
  })
  .meta({ id: "TranscriptCreated" });

const metadata = z.record(z.string(), z.unknown());
const head = { id: z.string(), object: z.literal("transcript") };

/** Section 2.6 while the work is not done, and for `failed`. */
export const pendingTranscript = z
  .strictObject({
    ...head,
    status: z.enum(["queued", "processing", "failed", "cancelled"]),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
    metadata,
    error: z.strictObject({ message: z.string() }).nullable(),
  })
  .meta({ id: "TranscriptPending" });

const word = z.strictObject({ text: z.string(), start: z.number(), end: z.number(), method: z.literal("approx") });
const utterance = z.strictObject({
  speaker: z.string().nullable(),
  speakerRole: z.enum(["agent", "customer"]).nullable(),
  text: z.string(),
  start: z.number(),
  end: z.number(),
});

/** Section 2.6, `completed`. */
export const completedTranscript = z
  .strictObject({
    ...head,
    status: z.literal("completed"),
    created_at: timestamp,
    completed_at: timestamp,
    metadata,
    error: z.null(),
    language: z.string(),
    language_confidence: z.number(),
    audio_duration: z.number(),
    billed_duration: z.number(),
    speech_duration: z.number(),
    text: z.string(),
    words: z.array(word),
    utterances: z.array(utterance),
    speaker_role_confidence: z.number().min(0).max(1),
    understanding: z.record(z.string(), z.unknown()),
    pii: z.record(z.string(), z.unknown()).nullable(),
    metrics: z.record(z.string(), z.unknown()),
    warnings: z.array(z.string()),
    usage: z.strictObject({ total_eur: euros }),
  })
  .meta({ id: "TranscriptCompleted" });

export const transcript = z.union([pendingTranscript, completedTranscript]).meta({ id: "Transcript" });

/** A list's item: the short form, and two facts more once completed. */
export const listedTranscript = pendingTranscript
  .extend({
    status: z.enum(STATUSES),
    language: z.string().nullable().optional(),
    audio_duration: z.number().nullable().optional(),
  })
  .meta({ id: "TranscriptListed" });

export const transcriptList = z
  .strictObject({
    object: z.literal("list"),
    data: z.array(listedTranscript),
    has_more: z.boolean(),
    next_before: z.string().nullable(),
  })
  .meta({ id: "TranscriptList" });
