import * as z from "zod";
import { isLanguage, LANGUAGES } from "../../speech/languages.ts";
import { RETENTIONS } from "../../storage/organizations.ts";
import { optional, text } from "./text.ts";
import { understandingRequest } from "./understanding.ts";

export const MAX_VOCABULARY_TERMS = 1_000;
export const MAX_TERM_CHARACTERS = 80;
export const MAX_LANGUAGE_HINTS = 10;
const MAX_URL_CHARACTERS = 2_048;

const languageCode = z
  .string()
  .refine(isLanguage, { error: "unsupported_language" })
  .meta({ override: { enum: [...LANGUAGES] } });
const language = z
  .string()
  .refine((code) => code === "auto" || isLanguage(code), { error: "unsupported_language" })
  .meta({ override: { enum: ["auto", ...LANGUAGES] } });

/** Where it leads is judged by the workflow, when it is fetched; here only that it is an address at all. */
const audioUrl = text(MAX_URL_CHARACTERS)
  .refine(isFetchable, { error: "debe ser una URL http o https" })
  .meta({ maxLength: MAX_URL_CHARACTERS, format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" });

function isFetchable(value: string): boolean {
  // URL.parse alone would take `http:example.com`, and drop white space wherever it stands.
  const url = /^https?:\/\/\S+$/i.test(value) ? URL.parse(value) : null;
  return url !== null && url.username === "" && url.password === "";
}

/** Kept as the request's own text, which metadata.ts cuts out and checks; here only that it is an object. */
const metadata = z
  .custom<object>(isObject, { error: "debe ser un objeto" })
  .meta({ override: { type: "object", propertyNames: { not: { enum: ["__proto__", "constructor"] } } } });

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Accepted and without effect (section 2.4): any JSON value. */
const ignored = z.unknown().optional().meta({ description: "Accepted and ignored." });
/** Webhooks are registered on /v1/webhooks, never with a request. */
const refused = z
  .null({ error: "invalid_webhook_url" })
  .optional()
  .meta({ description: "Refused with `invalid_webhook_url`: webhooks are registered on `/v1/webhooks`." });

const fields = z.strictObject({
  file_id: optional(z.string()).meta({ description: "An uploaded file. Exactly one of `file_id` and `audio_url`." }),
  audio_url: optional(audioUrl).meta({
    description:
      "A public http or https address, at most 2,048 characters and without a password. It is fetched after the 202, " +
      "from public addresses only; until then it is assumed to last an hour.",
  }),
  language: optional(language).meta({
    description: "The ISO 639-1 code that is spoken, or `auto`.",
    override: { default: "auto" },
  }),
  language_hints: optional(z.array(languageCode).max(MAX_LANGUAGE_HINTS)).meta({
    description: "Codes that really occur in the audio; they improve detection.",
  }),
  understanding: optional(understandingRequest).meta({ description: "Modules to run over the text." }),
  retention: optional(z.enum(RETENTIONS)).meta({ description: "The organization's `default_retention` when absent." }),
  metadata: optional(metadata).meta({
    description:
      "Returned unchanged, to the byte. At most 16 KB of JSON, eight levels, no key `__proto__` or `constructor`.",
  }),
  priority: optional(z.enum(["standard", "economy"])).meta({
    description: "`economy` takes the cheaper price of all seven modules together, and a smaller share of the workers.",
    override: { default: "standard" },
  }),
  custom_vocabulary: optional(z.array(text(MAX_TERM_CHARACTERS)).max(MAX_VOCABULARY_TERMS)).meta({
    description: "Names and terms to expect: at most 1,000, of at most 80 characters each.",
  }),
  speaker_labels: ignored,
  speakers_expected: ignored,
  channels: ignored,
  word_timestamps: ignored,
  language_confidence_threshold: ignored,
  webhook_url: refused,
  webhook_auth_header: refused,
  webhook_include_result: refused,
});

/** Section 2.4. */
export const createTranscriptRequest = fields
  .refine(({ file_id, audio_url }) => (file_id === undefined) !== (audio_url === undefined), {
    error: "invalid_audio_source",
  })
  .meta({
    id: "TranscriptRequest",
    examples: [
      { file_id: "file_3Zu8bWq1TnYx0PmKcVdR" },
      {
        audio_url: "https://recordings.example.com/calls/4711.mp3",
        language: "auto",
        language_hints: ["es", "ca"],
        understanding: {
          topic_detection: { taxonomy: "contact_center" },
          summarization: { format: "bullets", context: "Calls of an internet provider." },
          action_items: true,
          sentiment_analysis: { scope: "customer" },
          pii_redaction: { policy: "entity_name" },
        },
        retention: "30d",
        metadata: { call: 4711, queue: "billing" },
        priority: "economy",
        custom_vocabulary: ["Escriba", "fibra óptica"],
      },
    ],
    override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
      // The refinement above, as JSON Schema says it; null counts as absent.
      jsonSchema.oneOf = [oneSource("file_id", "audio_url"), oneSource("audio_url", "file_id")];
    },
  });

function oneSource(given: string, absent: string) {
  return {
    required: [given],
    properties: { [given]: { type: "string" as const }, [absent]: { type: "null" as const } },
  };
}
