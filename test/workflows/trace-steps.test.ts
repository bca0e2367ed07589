import { ApplicationFailure, CancelledFailure } from "@temporalio/common";
import type { ActivityExecuteInput } from "@temporalio/worker";
import test from "ava";
import type { Span } from "../../process/tracing/otlp.ts";
import { traceOf } from "../../process/tracing/trace-context.ts";
import { type StepInfo, traceSteps } from "../../workflows/trace-steps.ts";

const info: StepInfo = {
  activityType: "recognise",
  attempt: 3,
  taskQueue: "speech",
  workflowExecution: { workflowId: "tr_1", runId: "r" },
  currentAttemptScheduledTimestampMs: Date.now() - 5_000,
};

/** The span that an attempt leaves, and how it ended for the SDK. */
async function attempt(work: () => Promise<unknown>): Promise<{ span: Span | undefined; outcome: unknown }> {
  const spans: Span[] = [];
  const tracer = { record: (span: Span) => void spans.push(span), close: async () => undefined };
  const { inbound } = traceSteps(tracer, info);
  const input = { args: [], headers: {} } as ActivityExecuteInput;
  const outcome = await inbound?.execute?.(input, work).catch((error: unknown) => error);
  return { span: spans[0], outcome };
}

test("an attempt of a step is a span in the trace of its transcript, with how long it waited", async (t) => {
  const { span, outcome } = await attempt(async () => "done");
  t.is(outcome, "done");
  t.deepEqual(span?.trace, traceOf("tr_1"));
  t.like(span, { name: "recognise", kind: "consumer" });
  t.like(span?.attributes, { "escriba.queue": "speech", "escriba.attempt": 3, "escriba.workflow_id": "tr_1" });
  t.true(Number(span?.attributes["escriba.waited_ms"]) >= 5_000);
  t.is(span?.error, undefined);
});

test("what fails is told by its code, and thrown on", async (t) => {
  const failure = ApplicationFailure.create({ message: "child_crashed", type: "child_crashed" });
  const failed = await attempt(() => Promise.reject(failure));
  t.is(failed.outcome, failure);
  t.is(failed.span?.error, "child_crashed");
  const cancelled = await attempt(() => Promise.reject(new CancelledFailure("the client deleted it")));
  t.is(cancelled.span?.error, "cancelled");
  const other = await attempt(() => Promise.reject(new Error("a path of our machine")));
  t.is(other.span?.error, "failed", "no message leaves the process");
});
