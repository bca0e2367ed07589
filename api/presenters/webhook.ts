import type { Endpoint } from "../../webhooks/endpoints.ts";
import type { Attempt } from "../../webhooks/history.ts";
import { timestamp } from "./time.ts";

export function presentWebhook(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    object: "webhook",
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    consecutive_failures: endpoint.consecutiveFailures,
    created_at: timestamp(endpoint.createdAt),
    disabled_at: endpoint.disabledAt && timestamp(endpoint.disabledAt),
  };
}

export function presentDeliveryPage({ attempts, nextBefore }: { attempts: Attempt[]; nextBefore: string | null }) {
  return {
    object: "list",
    data: attempts.map(presentDelivery),
    has_more: nextBefore !== null,
    next_before: nextBefore,
  };
}

function presentDelivery(attempt: Attempt) {
  return {
    id: attempt.id,
    event_id: attempt.eventId,
    event: attempt.event,
    attempt: attempt.attempt,
    status: attempt.status,
    response_status: attempt.responseStatus,
    error: attempt.error,
    attempted_at: attempt.attemptedAt && timestamp(attempt.attemptedAt),
    next_attempt_at: attempt.nextAttemptAt && timestamp(attempt.nextAttemptAt),
  };
}
