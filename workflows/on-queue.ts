import type { Priority } from "@temporalio/common";
import { type ActivityOptions, proxyActivities } from "@temporalio/workflow";
import type { TaskQueue } from "./names.ts";
import { STEP_OPTIONS } from "./step-options.ts";

/** Every step on its queue, with its own limits, in its organization's share of the queue. */
export function stepsOn<Steps>(taskQueue: TaskQueue, priority: Priority): Steps {
  const on = (options: ActivityOptions) =>
    proxyActivities<Record<string, (argument: unknown) => Promise<unknown>>>({
      ...options,
      taskQueue,
      priority,
      cancellationType: "WAIT_CANCELLATION_COMPLETED",
    });
  const steps = Object.entries(STEP_OPTIONS).map(([name, options]) => [name, on(options)[name]]);
  return Object.fromEntries(steps) as Steps;
}
