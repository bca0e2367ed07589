import { Counter, Histogram, type Registry } from "../process/metrics.ts";

export interface WebhookMetrics {
  deliveries: Counter<"outcome">;
  seconds: Histogram;
  disabled: Counter;
  mails: Counter<"outcome">;
}

/** Of a worker of the `webhooks` queue. */
export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const registers = [registry];
  return {
    deliveries: new Counter({
      name: "escriba_webhook_deliveries_total",
      help: "Attempts to deliver an event to an endpoint: delivered, failed, or blocked for its address.",
      labelNames: ["outcome"],
      registers,
    }),
    seconds: new Histogram({
      name: "escriba_webhook_delivery_seconds",
      help: "Time of one attempt, from the resolution of the name to the end of what is read of the answer.",
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    disabled: new Counter({
      name: "escriba_webhooks_disabled_total",
      help: "Endpoints that were switched off after the last retry of an event failed.",
      registers,
    }),
    mails: new Counter({
      name: "escriba_mails_total",
      help: "Mails to members: sent, failed (and tried again), refused by the mail server, skipped without one.",
      labelNames: ["outcome"],
      registers,
    }),
  };
}
