import { type MailInput, TASK_QUEUES } from "./names.ts";
import { stepsOn } from "./on-queue.ts";
import type { WebhookSteps } from "./steps.ts";

/** One event told to one member by e-mail. The mail's Message-ID makes a repeat recognisable. */
export async function mail({ eventId, memberId, organizationId }: MailInput): Promise<void> {
  const { sendMail } = stepsOn<WebhookSteps>(TASK_QUEUES.webhooks, { fairnessKey: organizationId });
  await sendMail({ eventId, memberId });
}
