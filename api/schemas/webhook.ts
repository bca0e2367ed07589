import * as z from "zod";
import { EVENT_NAMES } from "../../webhooks/events.ts";
import { text, timestamp } from "./text.ts";
import { before, limit } from "./transcript-list.ts";

const MAX_URL_CHARACTERS = 2_048;

/** Only that it is an https address; which addresses may be reached is judged at each delivery. */
const url = text(MAX_URL_CHARACTERS).refine(isHttps, { error: "invalid_webhook_url" }).meta({
  maxLength: MAX_URL_CHARACTERS,
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]://",
  example: "https://example.com/escriba",
});

function isHttps(value: string): boolean {
  const parsed = URL.parse(value);
  return parsed?.protocol === "https:" && parsed.hostname !== "" && parsed.username === "" && parsed.password === "";
}

const events = z
  .array(z.enum(EVENT_NAMES))
  .min(1)
  .max(EVENT_NAMES.length)
  .meta({ description: "`webhook.disabled` and `api_key.created` are accepted and never delivered." });

const WEBHOOK = {
  id: "wh_2kWn9sYdL4f0Zq8cVb1xR7mT",
  object: "webhook",
  url: "https://example.com/escriba",
  events: ["transcript.completed", "transcript.failed"],
  status: "enabled",
  consecutive_failures: 0,
  created_at: "2026-11-21T10:58:31.123Z",
  disabled_at: null,
};

const DELIVERY = {
  id: "del_0b5c6f0a5d1f4a53a1c9a54f6e0c9d11",
  event_id: "evt_4f0Zq8cVb1xR7mT2kWn9sYdL",
  event: "transcript.completed",
  attempt: 2,
  status: "pending",
  response_status: null,
  error: null,
  attempted_at: null,
  next_attempt_at: "2026-11-21T10:59:32.123Z",
};

/** Section 2.11. */
export const createWebhookRequest = z
  .strictObject({ url, events: events.transform((names) => [...new Set(names)]) })
  .meta({ id: "WebhookRequest", examples: [{ url: WEBHOOK.url, events: WEBHOOK.events }] });

export const webhook = z
  .strictObject({
    id: z.string(),
    object: z.literal("webhook"),
    url: z.string(),
    events,
    status: z.enum(["enabled", "disabled"]),
    consecutive_failures: z.int().min(0).meta({
      description: "The highest failed retry number since the last success; an endpoint is disabled at five.",
    }),
    created_at: timestamp,
    disabled_at: timestamp.nullable(),
  })
  .meta({ id: "Webhook", examples: [WEBHOOK] });

export const createdWebhook = webhook
  .extend({
    secret: z.string().meta({ description: "Signs what is sent to this endpoint. Shown here and never again." }),
  })
  .meta({ id: "WebhookCreated", examples: [{ ...WEBHOOK, secret: "whsec_xR7mT2kWn9sYdL4f0Zq8cVb1xR7mT2kW" }] });

export const webhookList = z
  .strictObject({ object: z.literal("list"), data: z.array(webhook) })
  .meta({ id: "WebhookList", examples: [{ object: "list", data: [WEBHOOK] }] });

export const listDeliveriesQuery = z.strictObject({ limit, before });

const delivery = z
  .strictObject({
    id: z.string(),
    event_id: z.string(),
    event: z.enum(EVENT_NAMES),
    attempt: z.int().min(1).max(6).meta({ description: "1, then the five retries as 2 to 6." }),
    status: z.enum(["pending", "delivered", "failed", "blocked"]),
    response_status: z.int().nullable(),
    error: z.string().nullable().meta({
      description:
        "`http_status`, `redirect`, `timeout`, `unreachable`, `certificate`, `blocked_address`, `invalid_url`, `endpoint_disabled` or `endpoint_deleted`; null unless failed or blocked.",
    }),
    attempted_at: timestamp.nullable(),
    next_attempt_at: timestamp.nullable().meta({ description: "When a pending attempt is due." }),
  })
  .meta({ id: "WebhookDelivery", examples: [DELIVERY] });

export const deliveryList = z
  .strictObject({
    object: z.literal("list"),
    data: z.array(delivery),
    has_more: z.boolean(),
    next_before: z.string().nullable(),
  })
  .meta({
    id: "WebhookDeliveryList",
    examples: [{ object: "list", data: [DELIVERY], has_more: false, next_before: null }],
  });
