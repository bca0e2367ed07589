import { createMailer } from "../mail/mailer.ts";
import type { Registry } from "../process/metrics.ts";
import { trustedCertificates } from "../storage/certificates.ts";
import { closeDatabase, createDatabase } from "../storage/database.ts";
import { outboundPost } from "../storage/outbound-post.ts";
import { createSchemaCheck, waitForSchema } from "../storage/schema-check.ts";
import { ATTEMPT_MS } from "../webhooks/attempt.ts";
import { createSecretBox } from "../webhooks/secrets.ts";
import { attemptDelivery } from "./activities/attempt-delivery.ts";
import { sendMail } from "./activities/send-mail.ts";
import { TASK_QUEUES } from "./names.ts";
import { nothing, type ServedQueues, type WorkerParts } from "./served-queue.ts";
import { Shares } from "./shares.ts";
import type { WebhookSteps } from "./steps.ts";
import { createWebhookMetrics } from "./webhook-metrics.ts";

/** Deliveries to endpoints and mail to members, with their workflows. */
export async function serveWebhooks({ config, log, replaced }: WorkerParts, registry: Registry): Promise<ServedQueues> {
  const { database, webhooks } = config;
  if (!database || !webhooks) throw new Error("the webhooks queue needs a database and keys");
  const { mail } = webhooks;
  if (mail.smtpUrl === null && mail.directory === null) {
    log.warn("no mail is sent to members: set ESCRIBA_SMTP_URL");
  }
  const ca = await trustedCertificates(config.extraCaFile);
  const slots = config.slots[TASK_QUEUES.webhooks];
  // Each attempt may hold a thread for its name's resolution.
  if (config.threadPool < slots) {
    log.warn(
      { threads: config.threadPool, slots },
      "a slow name server delays other receivers: set UV_THREADPOOL_SIZE",
    );
  }
  const db = createDatabase(database.url, { maxConnections: database.connections });
  const check = createSchemaCheck(db);
  await waitForSchema(check, log);
  const metrics = createWebhookMetrics(registry);
  const steps: WebhookSteps = {
    attemptDelivery: attemptDelivery({
      db,
      secrets: createSecretBox(webhooks.keys),
      metrics,
      log,
      shares: { endpoint: new Shares(slots / 4), organization: new Shares(slots / 2) },
      post: outboundPost,
      network: { timeoutMs: ATTEMPT_MS, allowed: webhooks.networks, ...(ca && { ca }), ...replaced.network },
      now: Date.now,
    }),
    sendMail: sendMail({ db, mailer: createMailer({ ...mail, ca }), metrics }),
  };
  return {
    queues: [TASK_QUEUES.webhooks],
    steps,
    workflows: true,
    check,
    stop: nothing,
    close: () => closeDatabase(db),
  };
}
