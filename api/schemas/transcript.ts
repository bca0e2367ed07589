import * as z from "zod";
import { STATUSES } from "../../storage/transcripts.ts";
import { euros, timestamp } from "./text.ts";
import { COMPLETED, CREATED, PENDING } from "./transcript-examples.ts";
import { piiResult, understandingResults } from "./understanding-results.ts";
import { seconds, utterance } from "./utterance.ts";

/** Section 2.5. */
export const createdTranscript = z
  .strictObject({
    id: z.string(),
    object: z.literal("transcript"),
    status: z.literal("queued"),
    estimated_cost: z
      .strictObject({
        eur: euros,
        assumed_seconds: z.int().meta({ description: "Exact for a file; 3600 for a URL, which is not fetched yet." }),
      })
      .meta({ description: "Held now; what is charged is settled by the real length." }),
    estimated_completion: timestamp.meta({
      description: "Always six minutes after the request: neither a promise nor a time-out.",
    }),
  })
  .meta({ id: "TranscriptCreated", examples: [CREATED] });

const head = { id: z.string(), object: z.literal("transcript") };
const metadata = z.record(z.string(), z.unknown()).meta({ description: "As it was sent; `{}` when there was none." });

/** Section 2.6 while the work is not done, and for `failed`. */
export const pendingTranscript = z
  .strictObject({
    ...head,
    status: z
      .enum(["queued", "processing", "failed", "cancelled"])
      .meta({ description: "Nothing produces `cancelled`." }),
    created_at: timestamp,
    completed_at: timestamp.nullable().meta({ description: "Set when the status is final." }),
    metadata,
    error: z.strictObject({ message: z.string() }).nullable().meta({ description: "Of a failed transcript." }),
  })
  .meta({ id: "TranscriptPending", examples: [PENDING] });

const word = z
  .strictObject({ text: z.string(), start: seconds, end: seconds, method: z.literal("approx") })
  .meta({ id: "Word", description: "Times in seconds, good to about 200 ms: for navigation, not for cutting." });

const metrics = z
  .strictObject({
    queue_seconds: seconds,
    processing_seconds: seconds,
    real_time_factor: z.number().nullable(),
    chunks: z.int(),
    retried_windows: z.int(),
    model: z.string(),
    asr_seconds: seconds,
    understanding_seconds: seconds,
    prompt_version: z.string().nullable(),
  })
  .meta({ id: "TranscriptMetrics" });

/** Section 2.6, `completed`. */
export const completedTranscript = z
  .strictObject({
    ...head,
    status: z.literal("completed"),
    created_at: timestamp,
    completed_at: timestamp,
    metadata,
    error: z.null(),
    language: z.string().meta({ description: "As detected; `und` when nothing was said and nothing was hinted." }),
    language_confidence: z.number().min(0).max(1),
    audio_duration: seconds.meta({ description: "Seconds of the submitted audio." }),
    billed_duration: seconds.meta({ description: "Started minutes × 60: this is what is billed." }),
    speech_duration: seconds.meta({ description: "Seconds of real speech." }),
    text: z.string().meta({ description: "The whole text, never redacted." }),
    words: z.array(word),
    utterances: z.array(utterance),
    speaker_role_confidence: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: "0 exactly when no role was assigned. Below 0.6 take the call as without roles." }),
    understanding: understandingResults.meta({
      description: "Results of the requested modules; a module named in a warning is absent and not billed.",
    }),
    pii: piiResult.nullable().meta({ description: "Null when no redaction was requested, or it was unavailable." }),
    metrics,
    warnings: z.array(z.string()).meta({
      description:
        "What was requested and not delivered, and signals of quality: `module_unavailable:<module>`, " +
        "`module_failed:<module>`, `feature_unavailable:<option>`, `taxonomy_unavailable:iab`, " +
        "`attribution_heuristic_disagrees`, `diarization_single_speaker`, `diarization_low_minority_share`, " +
        "`diarization_unavailable`, `stereo_source_available`, `lid_tie:<a>~<b>`, `lid_local_unavailable`, " +
        "`lid_failed: <message>`, `asr_no_segments`, `vad_failed: <message>`.",
    }),
    usage: z.strictObject({ total_eur: euros }),
  })
  .meta({ id: "TranscriptCompleted", examples: [COMPLETED] });

export const transcript = z
  .union([pendingTranscript, completedTranscript])
  .meta({ id: "Transcript", examples: [PENDING, COMPLETED] });

/** A list's item: the short form, and two facts more once completed. */
export const listedTranscript = pendingTranscript
  .extend({
    status: z.enum(STATUSES),
    language: z.string().nullable().optional().meta({ description: "Once completed." }),
    audio_duration: z.number().nullable().optional().meta({ description: "Seconds, once completed." }),
  })
  .meta({ id: "TranscriptListed" });

export const transcriptList = z
  .strictObject({
    object: z.literal("list"),
    data: z.array(listedTranscript),
    has_more: z.boolean(),
    next_before: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      .nullable()
      .meta({ description: "`before` of the next page, to be passed exactly as received. Null when there is none." }),
  })
  .meta({
    id: "TranscriptList",
    examples: [{ object: "list", data: [PENDING], has_more: true, next_before: "2026-11-21T10:58:31.123456Z" }],
  });
