import type { Info } from "@temporalio/activity";
import { ApplicationFailure, CancelledFailure } from "@temporalio/common";
import type { ActivityInterceptors } from "@temporalio/worker";
import { traceOf } from "../process/tracing/trace-context.ts";
import type { Tracer } from "../process/tracing/tracer.ts";

export type StepInfo = Pick<
  Info,
  "activityType" | "attempt" | "taskQueue" | "workflowExecution" | "currentAttemptScheduledTimestampMs"
>;

/**
 * A span an attempt of a step, all of one workflow in one trace. A workflow's id is the transcript's, the delivery's or
 * the mail's, so whoever knows that id finds the trace. Failures are codes already: `codesOnly` stands inside.
 */
export function traceSteps(tracer: Tracer, info: StepInfo): ActivityInterceptors {
  const start = Date.now();
  const workflow = info.workflowExecution?.workflowId ?? "";
  const record = (error?: string) =>
    tracer.record({
      trace: traceOf(workflow),
      name: info.activityType,
      kind: "consumer",
      start,
      end: Date.now(),
      attributes: {
        "escriba.workflow_id": workflow,
        "escriba.queue": info.taskQueue,
        "escriba.attempt": info.attempt,
        "escriba.waited_ms": Math.max(0, start - info.currentAttemptScheduledTimestampMs),
      },
      ...(error !== undefined && { error }),
    });
  return {
    inbound: {
      async execute(input, next) {
        try {
          const answer = await next(input);
          record();
          return answer;
        } catch (error) {
          record(error instanceof CancelledFailure ? "cancelled" : codeOf(error));
          throw error;
        }
      },
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof ApplicationFailure && error.type ? error.type : "failed";
}
