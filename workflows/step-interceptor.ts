import { CompleteAsyncError, type Context } from "@temporalio/activity";
import { ApplicationFailure, CancelledFailure } from "@temporalio/common";
import type { ActivityInterceptors } from "@temporalio/worker";
import { ChildCrashed } from "../process/child-process.ts";
import type { Logger } from "../process/log.ts";
import { FAILURES, type FailureCode, StepFailed } from "./failures.ts";
import type { WorkerMetrics } from "./metrics.ts";

/** A fault of ours repeats; after so many attempts the client is told instead of waiting 48 hours. */
const INTERNAL_ATTEMPTS = 8;

/**
 * Around every attempt of every step: whatever is thrown leaves as a code alone. Messages and causes may quote a
 * recording, a URL or a row, so they go to our own log and never to Temporal.
 */
export function codesOnly(
  { log, metrics }: { log: Logger; metrics: WorkerMetrics },
  context: Context,
): ActivityInterceptors {
  const {
    activityType: step,
    attempt,
    workflowExecution,
    taskQueue,
    currentAttemptScheduledTimestampMs,
  } = context.info;
  // Two clocks: the server's and ours. A difference must not become a negative wait.
  const waited = Math.max(0, Date.now() - currentAttemptScheduledTimestampMs);
  metrics.stepWaitSeconds.observe({ queue: taskQueue }, waited / 1_000);
  return {
    inbound: {
      async execute(input, next) {
        const end = metrics.stepSeconds.startTimer({ step });
        try {
          const answer = await next(input);
          end({ outcome: "completed" });
          return answer;
        } catch (error) {
          if (error instanceof CompleteAsyncError) throw error;
          if (context.cancellationSignal.aborted || error instanceof CancelledFailure) {
            end({ outcome: "cancelled" });
            // The reason is the SDK's own CancelledFailure, whatever our code made of the abort.
            throw context.cancellationSignal.aborted ? context.cancellationSignal.reason : error;
          }
          end({ outcome: "failed" });
          const code = codeOf(error);
          metrics.stepFailures.inc({ step, code });
          log.warn({ step, code, attempt, workflow: workflowExecution?.workflowId, err: error }, "a step failed");
          const final = FAILURES[code].final || (code === "internal_error" && attempt >= INTERNAL_ATTEMPTS);
          const failure = ApplicationFailure.create({ message: code, type: code, nonRetryable: final });
          failure.stack = ""; // it would say where this line is, and the paths of our machine
          throw failure;
        }
      },
    },
  };
}

function codeOf(error: unknown): FailureCode {
  if (error instanceof StepFailed) return error.code;
  if (error instanceof ChildCrashed) return "child_crashed";
  return isOutage(error) ? "database_failed" : "internal_error";
}

/** The database could not be reached or ended the connection; anything else it says is a fault of ours. */
function isOutage(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (name === "PrismaClientInitializationError") return true;
  const outages = ["P1001", "P1002", "P1008", "P1017", "P2024", "P2034", "P2037"];
  if (name === "PrismaClientKnownRequestError" && outages.includes(String(code))) return true;
  const text = error instanceof Error ? error.message : "";
  return name !== undefined && String(name).startsWith("PrismaClient") && OUTAGE.test(text);
}

/** Connection errors (class 08), shutdowns (57P), too many connections (53), lost locks (40), and the socket's own. */
const OUTAGE =
  /\b(08\w{3}|57P\d\d|53\d{3}|40001|40P01|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|Connection terminated|timeout exceeded)\b/;
