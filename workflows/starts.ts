import { type Client, WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from "@temporalio/client";
import {
  DELIVER,
  type DeliverInput,
  MAIL,
  type MailInput,
  TASK_QUEUES,
  TRANSCRIBE,
  type TranscribeInput,
} from "./names.ts";

/** Rejecting is for what is started once; allowing for the sweeper, which has seen that no run is open. */
type ReusePolicy = "REJECT_DUPLICATE" | "ALLOW_DUPLICATE";

export function startTranscribe(
  client: Client,
  input: TranscribeInput,
  workflowIdReusePolicy: ReusePolicy,
): Promise<void> {
  return startOnce(client, TRANSCRIBE, {
    workflowId: input.transcriptId,
    taskQueue: TASK_QUEUES.transcripts,
    args: [input],
    workflowIdReusePolicy,
    priority: { fairnessKey: input.fairnessKey, fairnessWeight: input.fairnessWeight },
  });
}

export const deliverId = ({ eventId, webhookId }: Pick<DeliverInput, "eventId" | "webhookId">) =>
  `deliver:${eventId}:${webhookId}`;

export function startDeliver(client: Client, input: DeliverInput, workflowIdReusePolicy: ReusePolicy): Promise<void> {
  return startOnce(client, DELIVER, {
    workflowId: deliverId(input),
    taskQueue: TASK_QUEUES.webhooks,
    args: [input],
    workflowIdReusePolicy,
    priority: { fairnessKey: input.organizationId },
  });
}

export function startMail(client: Client, input: MailInput): Promise<void> {
  return startOnce(client, MAIL, {
    workflowId: `mail:${input.eventId}:${input.memberId}`,
    taskQueue: TASK_QUEUES.webhooks,
    args: [input],
    workflowIdReusePolicy: "REJECT_DUPLICATE",
    priority: { fairnessKey: input.organizationId },
  });
}

/** "Already started" is success: the row was served before. */
async function startOnce(client: Client, type: string, options: WorkflowStartOptions): Promise<void> {
  try {
    await client.workflow.start(type, { ...options, workflowIdConflictPolicy: "FAIL" });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
