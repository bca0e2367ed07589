import { WorkflowNotFoundError } from "@temporalio/client";
import { overdueDeliveries } from "../webhooks/deliveries.ts";
import { deliverId, startDeliver } from "./starts.ts";
import type { SweeperDependencies } from "./sweeper.ts";

/** A watched attempt is made when it is due, or soon after where workers are short. */
const OVERDUE_MS = 10 * 60_000;
const MOST = 500;

/** The row is the truth and the workflow its clock: a row whose clock was lost gets a new one. */
export async function sweepDeliveries({ db, client, metrics, log }: SweeperDependencies): Promise<void> {
  for (const delivery of await overdueDeliveries(db, { overdueMs: OVERDUE_MS, limit: MOST })) {
    const id = deliverId(delivery);
    try {
      const { status } = await client.workflow.getHandle(id).describe();
      if (status.name === "RUNNING") continue;
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    await startDeliver(client, delivery, "ALLOW_DUPLICATE");
    metrics.swept.inc({ action: "delivery_restarted" });
    log.warn({ workflow: id }, "a delivery that was due had no workflow; started again");
  }
}
