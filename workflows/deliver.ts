import { condition, continueAsNew, defineSignal, setHandler, workflowInfo } from "@temporalio/workflow";
import { type DeliverInput, LOOK, TASK_QUEUES } from "./names.ts";
import { stepsOn } from "./on-queue.ts";
import type { WebhookSteps } from "./steps.ts";

/**
 * The clock of one event's delivery to one endpoint: asks the row what is due, waits as long as it says, asks again.
 * What was attempted, what comes next and when all of it ends is in the row alone (webhooks/deliveries.ts). The signal
 * ends the wait, for whoever has moved the row's time.
 */
export async function deliver(input: DeliverInput): Promise<void> {
  const { webhookId, eventId, organizationId } = input;
  const { attemptDelivery } = stepsOn<WebhookSteps>(TASK_QUEUES.webhooks, { fairnessKey: organizationId });
  let asked = false;
  setHandler(defineSignal(LOOK), () => {
    asked = true;
  });
  for (;;) {
    asked = false;
    const { waitMs } = await attemptDelivery({ webhookId, eventId });
    if (waitMs === null) return;
    await condition(() => asked, Math.max(1, waitMs));
    // An endpoint that never has a free place is asked about for hours.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliver>(input);
  }
}
