import type { Logger } from "../../process/log.ts";
import type { Database } from "../../storage/database.ts";
import { type AttemptDependencies, makeAttempt } from "../../webhooks/attempt.ts";
import { type PendingAttempt, readPending, recordAttempt } from "../../webhooks/deliveries.ts";
import { type SecretBox, SecretUnreadable } from "../../webhooks/secrets.ts";
import { StepFailed } from "../failures.ts";
import type { Shares } from "../shares.ts";
import type { WebhookSteps } from "../steps.ts";
import type { WebhookMetrics } from "../webhook-metrics.ts";

export interface DeliveryDependencies extends AttemptDependencies {
  db: Database;
  secrets: SecretBox;
  metrics: WebhookMetrics;
  log: Logger;
  /** Attempts at a time, of one endpoint and of one organization. */
  shares: { endpoint: Shares; organization: Shares };
}

/** Between two looks for a free place, spread out. */
const BUSY_MS = { least: 5_000, spread: 5_000 };

/**
 * Asks the row, makes the attempt if it is due, records it. A worker that dies between the last two leaves the row
 * pending, and the receiver may see the event again, with the same Service-Event-Id.
 */
export function attemptDelivery(dependencies: DeliveryDependencies): WebhookSteps["attemptDelivery"] {
  const { db, shares } = dependencies;
  return async (delivery) => {
    const pending = await readPending(db, delivery);
    if (!pending) return { waitMs: null };
    if (pending.waitMs > 0) return { waitMs: pending.waitMs };
    if (!shares.endpoint.take(delivery.webhookId)) return busy();
    try {
      if (!shares.organization.take(pending.organizationId)) return busy();
      try {
        return await attempt(dependencies, delivery, pending);
      } finally {
        shares.organization.give(pending.organizationId);
      }
    } finally {
      shares.endpoint.give(delivery.webhookId);
    }
  };
}

async function attempt(
  dependencies: DeliveryDependencies,
  delivery: { webhookId: string; eventId: string },
  pending: PendingAttempt,
): Promise<{ waitMs: number | null }> {
  const { db, metrics, log } = dependencies;
  const secret = open(dependencies.secrets, pending.secret, delivery.webhookId);
  const end = metrics.seconds.startTimer();
  const outcome = await makeAttempt(dependencies, delivery.eventId, pending, secret);
  end();
  const { recorded, disabled, waitMs } = await recordAttempt(db, delivery, pending, outcome);
  if (recorded) metrics.deliveries.inc({ outcome: outcome.status });
  if (disabled) {
    metrics.disabled.inc();
    log.warn({ webhook: delivery.webhookId, event: delivery.eventId }, "an endpoint was disabled");
  }
  return { waitMs };
}

/** A key that is missing is a fault of ours: the receiver is not blamed for it, and the row waits. */
function open(secrets: SecretBox, sealed: Uint8Array, webhookId: string): string {
  try {
    return secrets.open(sealed, webhookId);
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new StepFailed("secret_unreadable", error);
    throw error;
  }
}

function busy(): { waitMs: number } {
  return { waitMs: BUSY_MS.least + Math.floor(Math.random() * BUSY_MS.spread) };
}
