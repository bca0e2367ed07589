import type { WorkflowHandle } from "@temporalio/client";
import { putMember } from "../../storage/organizations.ts";
import { deliverId } from "../../workflows/starts.ts";
import { status } from "../support/receiver.ts";
import { eventually } from "./stack.ts";
import { type Subscriber, startWebhookStack } from "./webhook-stack.ts";

/** Every way a delivery and a mail can go, for record-histories.ts. */
export async function recordWebhooks(save: (name: string, handle: WorkflowHandle) => Promise<void>): Promise<void> {
  const stack = await startWebhookStack();
  try {
    const worker = await stack.webhooksWorker("transcripts,webhooks");
    const { client } = stack.temporal;
    const { db } = stack.postgres;
    const handleOf = ({ webhookId }: Subscriber, eventId: string) =>
      client.workflow.getHandle(deliverId({ eventId, webhookId }));
    const ended = (handle: WorkflowHandle) =>
      eventually(async () => (await handle.describe().catch(() => undefined))?.status.name === "COMPLETED");
    const saveEnded = async (name: string, handle: WorkflowHandle) => {
      await ended(handle);
      await save(name, handle);
    };

    const delivered = await stack.subscriber();
    await saveEnded("deliver-delivered", handleOf(delivered, await delivered.emit()));

    const retried = await stack.subscriber();
    retried.receiver.answer = status(500);
    const eventId = await retried.emit();
    await retried.made(eventId, 1);
    retried.receiver.answer = status(200);
    await retried.skipWait(eventId);
    await saveEnded("deliver-retried", handleOf(retried, eventId));

    const disabled = await stack.subscriber();
    await putMember(db, { organizationId: disabled.organizationId, email: "owner@example.com", role: "owner" });
    disabled.receiver.answer = status(500);
    const lost = await disabled.emit();
    for (let attempt = 1; attempt <= 5; attempt++) {
      await disabled.made(lost, attempt);
      await disabled.skipWait(lost);
    }
    await saveEnded("deliver-disabled", handleOf(disabled, lost));

    const { organizationId } = disabled;
    const { id } = await db.event.findFirstOrThrow({ where: { organizationId, event: "webhook.disabled" } });
    const { id: memberId } = await db.member.findFirstOrThrow({ where: { organizationId } });
    await saveEnded("mail-sent", client.workflow.getHandle(`mail:${id}:${memberId}`));
    await worker.drain();
  } finally {
    await stack.stop();
  }
}
