/** The six kinds of section 6, and where each goes. */
export const EVENT_NAMES = [
  "transcript.completed",
  "transcript.failed",
  "credit.low",
  "credit.exhausted",
  "webhook.disabled",
  "api_key.created",
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Sent to the endpoints that subscribe to them. The other two may be subscribed to and are never delivered. */
export const DELIVERED_EVENTS = [
  "transcript.completed",
  "transcript.failed",
  "credit.low",
  "credit.exhausted",
] as const satisfies readonly EventName[];
export type DeliveredEvent = (typeof DELIVERED_EVENTS)[number];

/** Sent by e-mail to members with one of `MAILED_ROLES`. */
export const MAILED_EVENTS = [
  "credit.low",
  "credit.exhausted",
  "webhook.disabled",
] as const satisfies readonly EventName[];

export const MAILED_ROLES = ["owner", "billing"] as const;
