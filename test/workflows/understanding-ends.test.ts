import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import { NativeConnection, Worker, type WorkflowBundleOption } from "@temporalio/worker";
import test from "ava";
import { createLog } from "../../process/log.ts";
import { workflowBundle } from "../../workflows/bundle.ts";
import { TASK_QUEUES, TRANSCRIBE, type TranscribeInput } from "../../workflows/names.ts";
import { installRuntime } from "../../workflows/runtime.ts";
import type { DatabaseSteps, LanguageSteps, MediaSteps } from "../../workflows/steps.ts";
import { startTestTemporal, type TestTemporal } from "../support/temporal.ts";

/**
 * The real workflow on a real server, with steps that only say when they begin and end: how long a real one takes to
 * notice that it is cancelled is nothing a test can decide.
 */
const log = createLog("worker", "silent");
let temporal: TestTemporal;
let connection: NativeConnection;
let bundle: WorkflowBundleOption;
test.before(async () => {
  installRuntime(log);
  [temporal, bundle] = await Promise.all([startTestTemporal(), workflowBundle(null, log)]);
  connection = await NativeConnection.connect({ address: temporal.address });
});
test.after.always(async () => {
  await connection?.close();
  await temporal?.stop();
});

const HOUR_MS = 60 * 60 * 1_000;

/** Runs a transcript in which something was said; answers what its steps did, in order. */
async function steps(
  deadlineMs: number,
  language: LanguageSteps | null,
  meanwhile: (handle: { cancel(): Promise<unknown> }, did: string[]) => Promise<void> = async () => undefined,
) {
  const did: string[] = [];
  const database: DatabaseSteps = {
    begin: async () => ({
      ...{ proceed: true, uploadKey: "upload", language: "es", languageHints: [] },
      modules: ["content_moderation", "pii_redaction", "summarization"],
    }),
    recordPlan: async () => undefined,
    recordProgress: async () => undefined,
    assemble: async () => ({ utterances: 1 }),
    settle: async () => void did.push("settle"),
    fail: async ({ code }) => void did.push(`fail ${code}`),
    cleanUp: async () => void did.push("cleanUp"),
  };
  const media: MediaSteps = {
    prepare: async () => ({ durationMs: 1_000, speechMs: 1_000, chunks: 0, windows: 0 }),
    diarise: async () => ({ speakers: 0 }),
  };
  const noted: LanguageSteps | null = language && {
    attributeRoles: noting(did, () => "roles", language.attributeRoles),
    understand: noting(did, ({ group }) => group, language.understand),
  };
  const serve = (taskQueue: string, activities: object, workflowBundle?: WorkflowBundleOption) =>
    Worker.create({
      ...{ connection, taskQueue, activities, maxHeartbeatThrottleInterval: "100ms" },
      ...(workflowBundle && { workflowBundle }),
    });
  const workers = await Promise.all([
    serve(TASK_QUEUES.transcripts, database, bundle),
    serve(TASK_QUEUES.media, media),
    ...(noted ? [serve(TASK_QUEUES.language, noted)] : []),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  try {
    const transcriptId = randomUUID();
    const share = { organizationId: "o", fairnessKey: "o", fairnessWeight: 1 };
    const handle = await temporal.client.workflow.start(TRANSCRIBE, {
      args: [{ transcriptId, ...share, deadlineAt: Date.now() + deadlineMs } satisfies TranscribeInput],
      ...{ taskQueue: TASK_QUEUES.transcripts, workflowId: transcriptId },
    });
    await meanwhile(handle, did);
    await handle.result().catch(() => undefined);
    const { status } = await handle.describe();
    return { did, status: status.name };
  } finally {
    for (const worker of workers) worker.shutdown();
    await running;
  }
}

function noting<I, O>(did: string[], name: (input: I) => string, step: (input: I) => Promise<O>) {
  return async (input: I) => {
    did.push(`${name(input)} begins`);
    return step(input).finally(() => did.push(`${name(input)} ends`));
  };
}

/** Until it is cancelled, and then `longer` milliseconds. */
async function untilCancelled(longer: number): Promise<never> {
  const context = Context.current();
  const beating = setInterval(() => context.heartbeat(), 100);
  try {
    return await context.cancelled;
  } finally {
    await sleep(longer);
    clearInterval(beating);
  }
}

test.serial("a deleted transcript's objects are removed when the last question has ended, not the first", async (t) => {
  const language: LanguageSteps = {
    attributeRoles: () => untilCancelled(0),
    understand: ({ group }) => untilCancelled(group === "pii" ? 1_500 : 0),
  };
  const { did, status } = await steps(48 * HOUR_MS, language, async (handle, begun) => {
    while (begun.length < 3) await sleep(20);
    await handle.cancel();
  });
  t.is(status, "CANCELLED");
  t.deepEqual(did.slice(-3), ["pii ends", "fail cancelled", "cleanUp"]);
  t.deepEqual(did.slice(0, -3).toSorted(), [
    ...["pii begins", "roles begins", "roles ends", "safety begins", "safety ends"],
  ]);
});

test.serial("nobody serves the language queue: the transcript is settled before its deadline", async (t) => {
  const { did, status } = await steps(HOUR_MS + 2_000, null);
  t.is(status, "COMPLETED");
  t.deepEqual(did, ["settle", "cleanUp"]);
});

test.serial("a question that never ends is cancelled in time, and the transcript settled", async (t) => {
  const language: LanguageSteps = {
    attributeRoles: async () => ({ agents: 0, customers: 0, warnings: 0 }),
    understand: () => untilCancelled(0),
  };
  const { did, status } = await steps(HOUR_MS + 3_000, language);
  t.is(status, "COMPLETED");
  t.deepEqual(did.slice(-2), ["settle", "cleanUp"]);
  t.false(did.includes("insight begins"));
});

test.serial("with less than an hour left nothing is asked any more", async (t) => {
  const never = () => Promise.reject(new Error("asked"));
  const { did, status } = await steps(HOUR_MS - 1, { attributeRoles: never, understand: never });
  t.is(status, "COMPLETED");
  t.deepEqual(did, ["settle", "cleanUp"]);
});
