import { type Mailer, MailFailed } from "../../mail/mailer.ts";
import { type Notice, writeMessage } from "../../mail/messages.ts";
import type { Database } from "../../storage/database.ts";
import { type MailedNotice, readNotice } from "../../webhooks/notices.ts";
import { StepFailed } from "../failures.ts";
import type { WebhookSteps } from "../steps.ts";
import type { WebhookMetrics } from "../webhook-metrics.ts";

export interface MailDependencies {
  db: Database;
  mailer: Mailer;
  metrics: WebhookMetrics;
}

/** Addresses and texts stay out of Temporal: the step is given references and reads the rest. */
export function sendMail({ db, mailer, metrics }: MailDependencies): WebhookSteps["sendMail"] {
  return async ({ eventId, memberId }) => {
    const notice = await readNotice(db, { eventId, memberId });
    if (!notice) return;
    const message = writeMessage(toNotice(notice));
    try {
      const id = `${eventId}.${memberId}`;
      const outcome = await mailer.send({ ...message, to: notice.email, date: notice.at, id });
      metrics.mails.inc({ outcome });
    } catch (error) {
      if (!(error instanceof MailFailed)) throw error;
      metrics.mails.inc({ outcome: error.refused ? "refused" : "failed" });
      throw new StepFailed(error.refused ? "mail_refused" : "mail_failed", error);
    }
  };
}

function toNotice({ event, payload, organization, at, url }: MailedNotice): Notice {
  const balanceEur = Number(payload.balance_eur);
  switch (event) {
    case "credit.low":
      return { event, organization, at, balanceEur, thresholdEur: Number(payload.threshold_eur) };
    case "credit.exhausted":
      return { event, organization, at, balanceEur };
    case "webhook.disabled":
      return { event, organization, at, webhookId: String(payload.webhook_id), url: url ?? "" };
    default:
      throw new Error(`no mail is written about ${event}`);
  }
}
