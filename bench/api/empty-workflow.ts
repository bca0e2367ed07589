import { proxyActivities } from "@temporalio/workflow";

/** A workflow with one step that does nothing: what the start of a transcript is compared with. */
export async function empty(): Promise<void> {
  const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: "30 seconds" });
  await nothing();
}
