import * as z from "zod";
import type { Module } from "../../billing/prices.ts";
import { utterance } from "./utterance.ts";

/** Results by module (section 2.7). */
const results = {
  topic_detection: z.strictObject({
    topics: z.array(z.strictObject({ label: z.string(), relevance: z.number() })),
    taxonomy: z.string(),
    taxonomy_version: z.int(),
  }),
  summarization: z.strictObject({ text: z.string() }),
  action_items: z.strictObject({
    items: z.array(z.strictObject({ text: z.string(), owner: z.string().nullable(), due: z.string().nullable() })),
  }),
  sentiment_analysis: z.strictObject({
    overall: z.enum(["positive", "neutral", "negative"]),
    by_utterance: z
      .array(z.strictObject({ index: z.int().min(0), sentiment: z.enum(["positive", "neutral", "negative"]) }))
      .meta({ description: "`index` is the place in `utterances`; only turns of the customer appear." }),
  }),
  content_moderation: z.strictObject({
    findings: z.array(
      z.strictObject({
        category: z.enum(["violence", "hate", "self_harm", "sexual", "drugs", "weapons"]),
        severity: z.number().min(0).max(1),
        excerpt: z.string(),
      }),
    ),
  }),
  profanity_filter: z.strictObject({ terms: z.array(z.strictObject({ text: z.string() })) }),
} satisfies Record<Exclude<Module, "pii_redaction">, z.ZodType>;

/** `pii_redaction` has its result beside this one, in `pii`. */
export const understandingResults = z.strictObject(results).partial().meta({ id: "UnderstandingResults" });

/** Kinds of personal data (docs/decisions). */
const PII_TYPES = [
  "PERSON",
  "EMAIL",
  "PHONE",
  "ADDRESS",
  "NATIONAL_ID",
  "BANK_ACCOUNT",
  "CARD",
  "DATE_OF_BIRTH",
  "PASSPORT",
  "LICENSE_PLATE",
  "USERNAME",
  "PASSWORD",
] as const;

/** Redacted copies; the audio and `text` stay as they are. */
export const piiResult = z
  .strictObject({
    text_redacted: z.string(),
    utterances_redacted: z.array(utterance),
    entities: z
      .array(
        z.strictObject({
          type: z.enum(PII_TYPES),
          utterance: z.int().min(0),
          start: z.int().min(0),
          end: z.int().min(0),
        }),
      )
      .meta({ description: "`start` and `end` are characters in the original text of that utterance." }),
    policy: z.enum(["entity_name", "mask"]),
  })
  .meta({ id: "PiiResult" });
