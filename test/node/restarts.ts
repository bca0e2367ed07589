import { Client } from "@temporalio/client";
import type { TestTemporal } from "../support/temporal.ts";
import type { Posted } from "./recordings.ts";

/** Steps of these transcripts that were begun more than once, and why. */
export async function restarts(
  temporal: TestTemporal,
  namespace: string,
  posted: readonly Posted[],
): Promise<string[]> {
  const client = new Client({ connection: temporal.client.connection, namespace });
  const found: string[] = [];
  for (const { id } of posted) {
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
      if (!started || (started.attempt ?? 1) === 1) continue;
      const scheduled = events?.find(({ eventId }) => String(eventId) === String(started.scheduledEventId));
      const step = scheduled?.activityTaskScheduledEventAttributes?.activityType?.name;
      found.push(`${step} of ${id}, attempt ${started.attempt}: ${started.lastFailure?.message}`);
    }
  }
  return found;
}
