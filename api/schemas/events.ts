import * as z from "zod";
import type { DeliveredEvent } from "../../webhooks/events.ts";
import { euros, timestamp } from "./text.ts";

/**
 * Bodies of the events of section 6 as they are signed and sent: flat JSON. They are written by SQL (`emit_event`) in
 * the transaction that causes them, and never changed; these schemas describe them for readers and hold tests to it.
 */
function eventBody<Name extends string, Payload extends z.core.$ZodLooseShape>(event: Name, payload: Payload) {
  return z.strictObject({
    id: z.string().meta({ description: "Of the event; the same on every attempt, as header Service-Event-Id too." }),
    event: z.literal(event),
    created_at: timestamp,
    ...payload,
  });
}

const ID = "evt_4f0Zq8cVb1xR7mT2kWn9sYdL";
const AT = "2026-11-21T10:58:31.123Z";
const TRANSCRIPT = "tr_9sYdL4f0Zq8cVb1xR7mT2kWn";

export const transcriptCompletedEvent = eventBody("transcript.completed", {
  transcript_id: z.string(),
  status: z.literal("completed"),
  language: z.string().meta({ description: "Detected language code." }),
  audio_duration: z.number().meta({ description: "Seconds of the submitted audio." }),
}).meta({
  id: "EventTranscriptCompleted",
  description: "A transcript is ready to collect with GET /v1/transcripts/{transcript_id}.",
  examples: [
    {
      id: ID,
      event: "transcript.completed",
      created_at: AT,
      transcript_id: TRANSCRIPT,
      status: "completed",
      language: "es",
      audio_duration: 58.8,
    },
  ],
});

export const transcriptFailedEvent = eventBody("transcript.failed", {
  transcript_id: z.string(),
  status: z.literal("failed"),
  error: z.strictObject({ message: z.string().meta({ description: "For people, in Spanish." }) }),
}).meta({
  id: "EventTranscriptFailed",
  description: "A transcript ended in an error; it is not billed.",
  examples: [
    {
      id: ID,
      event: "transcript.failed",
      created_at: AT,
      transcript_id: TRANSCRIPT,
      status: "failed",
      error: { message: "El formato del audio no está admitido." },
    },
  ],
});

export const creditLowEvent = eventBody("credit.low", {
  balance_eur: euros,
  threshold_eur: euros.meta({ description: "The organization's threshold, which this debit crossed downward." }),
}).meta({
  id: "EventCreditLow",
  description: "The balance fell below the organization's threshold; once per crossing downward.",
  examples: [{ id: ID, event: "credit.low", created_at: AT, balance_eur: 4.9935, threshold_eur: 5 }],
});

export const creditExhaustedEvent = eventBody("credit.exhausted", { balance_eur: euros }).meta({
  id: "EventCreditExhausted",
  description: "The balance reached zero; billed requests answer 402 from now on.",
  examples: [{ id: ID, event: "credit.exhausted", created_at: AT, balance_eur: 0 }],
});

/** By event name; the `webhooks` of the OpenAPI document come from here. */
export const deliveredEvents = {
  "transcript.completed": transcriptCompletedEvent,
  "transcript.failed": transcriptFailedEvent,
  "credit.low": creditLowEvent,
  "credit.exhausted": creditExhaustedEvent,
} as const satisfies Record<DeliveredEvent, z.ZodObject>;

/** Kept like every event and sent by e-mail, never to an endpoint. */
export const webhookDisabledEvent = eventBody("webhook.disabled", {
  webhook_id: z.string(),
  consecutive_failures: z.int(),
}).meta({ id: "EventWebhookDisabled" });
