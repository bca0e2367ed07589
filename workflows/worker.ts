import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "@temporalio/activity";
import { type NativeConnection, Worker, type WorkflowBundleOption } from "@temporalio/worker";
import type { Logger } from "../process/log.ts";
import { createRegistry, serveMetrics } from "../process/metrics.ts";
import { createTracer } from "../process/tracing/tracer.ts";
import { openStore } from "../storage/open-store.ts";
import { openScratch } from "./activities/scratch.ts";
import { workflowBundle } from "./bundle.ts";
import type { WorkerConfig, WorkerQueue } from "./config.ts";
import { createWorkerMetrics } from "./metrics.ts";
import { TASK_QUEUES } from "./names.ts";
import type { Replacements, ServedQueues, WorkerParts } from "./served-queue.ts";
import { DrainableSlots } from "./slots.ts";
import { Speed } from "./speed.ts";
import { codesOnly } from "./step-interceptor.ts";
import { connectWorkers } from "./temporal-connection.ts";
import { traceSteps } from "./trace-steps.ts";
import { WorkerControl } from "./worker-control.ts";

export interface RunningWorker {
  metricsUrl: string;
  /**
   * Takes no more work, finishes what is at hand, and closes everything; bounded by the grace, after which steps are
   * cancelled and picked up by another worker. Safe to call again.
   */
  drain(): Promise<void>;
  /** Resolves after a drain. Rejects when a Temporal worker failed. */
  ended: Promise<void>;
}

/** Milliseconds for steps to notice their cancellation once the grace is over. */
const CANCEL_MS = 2_000;

/**
 * Serves the configured queues. Resolves when the models are loaded and polling has begun; rejects with what is
 * missing after closing what was open. `runtime.ts` is installed by the process before.
 */
export async function startWorker(
  config: WorkerConfig,
  log: Logger,
  replaced: Replacements = {},
): Promise<RunningWorker> {
  const parts = new AsyncDisposableStack();
  try {
    return await start(config, log, replaced, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function start(
  config: WorkerConfig,
  log: Logger,
  replaced: Replacements,
  parts: AsyncDisposableStack,
): Promise<RunningWorker> {
  const registry = createRegistry("worker");
  const slots = new Map(config.queues.map((queue) => [queue, new DrainableSlots(config.slots[queue])]));
  const metrics = createWorkerMetrics(registry, () =>
    [...slots].map(([queue, { held, busy }]) => ({ queue, held, busy })),
  );
  const speeds = measuredSpeeds(config);
  const control = new WorkerControl(slots, servesSpeech(config) ? speeds.speech : speeds.media, new Date());
  const served: ServedQueues[] = [];
  const health = {
    ready: async () => {
      if (control.state !== "serving") throw new Error(control.state);
      await Promise.all(served.map((queues) => queues.check()));
    },
  };
  const listener = await serveMetrics(registry, health, config.metrics, control.routes(config.drainToken));
  parts.defer(() => listener.close());
  const store = openStore(config.objectStore);
  await store.check();
  const scratch = await openScratch(config.scratch);
  parts.defer(() => scratch.close());
  const connection = await connectWorkers(config.temporal);
  parts.defer(() => connection.close());

  const tracer = createTracer(config.tracing, { service: "escriba-worker", log, registry });
  parts.defer(() => tracer?.close());
  const open: WorkerParts = { config, log, metrics, tracer, speeds, store, scratch, replaced };
  for (const serve of await servers(config)) {
    const queues = await serve(open, registry);
    parts.defer(() => queues.close());
    parts.defer(() => queues.stop());
    served.push(queues);
  }
  const bundle = served.some(({ workflows }) => workflows)
    ? await workflowBundle(config.workflowBundle, log)
    : undefined;
  const workers: Worker[] = [];
  for (const { queues, steps, workflows } of served) {
    for (const queue of queues) {
      const own = slots.get(queue) as DrainableSlots;
      workers.push(await createWorker(open, connection, queue, own, steps, workflows ? bundle : undefined));
    }
  }
  const running = Promise.all(workers.map((worker) => worker.run()));
  running.catch(() => undefined); // told by `ended`
  control.serves();
  log.info({ queues: config.queues }, "the worker serves");

  const kept = parts.move();
  let drained: Promise<void> | undefined;
  const drain = async () => {
    const grace = new AbortController();
    const quiet = control.end();
    await Promise.all(served.map((queues) => queues.stop()));
    await Promise.race([quiet, sleep(config.graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
    grace.abort();
    for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
    await running.finally(() => kept.disposeAsync());
    log.info("the worker has ended");
  };
  const end = Promise.withResolvers<void>();
  running.then(() => drained ?? end.resolve(), end.reject);
  return {
    metricsUrl: listener.url,
    drain: () => {
      drained ??= drain().then(end.resolve, (error) => {
        end.reject(error);
        throw error;
      });
      return drained;
    },
    ended: end.promise,
  };
}

const ENGINE_QUEUES = [TASK_QUEUES.speech, TASK_QUEUES.speechShort] as const;

/** A worker of both media and speech tells the engine's speed, which is what a transcript waits for. */
const servesSpeech = ({ queues }: WorkerConfig) => ENGINE_QUEUES.some((queue) => queues.includes(queue));

/** The engine's slots all wait for one device; a decoder has a process of its own a slot. */
function measuredSpeeds({ queues, slots }: WorkerConfig): WorkerParts["speeds"] {
  const ofEngine = ENGINE_QUEUES.filter((queue) => queues.includes(queue));
  const among = ofEngine.reduce((sum, queue) => sum + slots[queue], 0);
  return { speech: new Speed(Math.max(1, among)), media: new Speed(1) };
}

type Serve = (parts: WorkerParts, registry: ReturnType<typeof createRegistry>) => Promise<ServedQueues>;

/** Code is loaded for the queues that are served only: a speech worker has no database client in its memory. */
async function servers({ queues }: WorkerConfig): Promise<Serve[]> {
  const any = (...names: WorkerQueue[]) => names.some((name) => queues.includes(name));
  return [
    ...(any(TASK_QUEUES.transcripts) ? [(await import("./transcripts-queue.ts")).serveTranscripts] : []),
    ...(any(TASK_QUEUES.webhooks) ? [(await import("./webhooks-queue.ts")).serveWebhooks] : []),
    ...(any(TASK_QUEUES.fetch) ? [(await import("./fetch-queue.ts")).serveFetch] : []),
    ...(any(TASK_QUEUES.media) ? [(await import("./media-queue.ts")).serveMedia] : []),
    ...(any(TASK_QUEUES.speech, TASK_QUEUES.speechShort) ? [(await import("./speech-queues.ts")).serveSpeech] : []),
    ...(any(TASK_QUEUES.language) ? [(await import("./language-queue.ts")).serveLanguage] : []),
  ];
}

function createWorker(
  { config, log, metrics, tracer }: WorkerParts,
  connection: NativeConnection,
  taskQueue: WorkerQueue,
  activityTaskSlotSupplier: DrainableSlots,
  activities: object,
  bundle: WorkflowBundleOption | undefined,
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: config.temporal.namespace,
    taskQueue,
    activities,
    ...(bundle && { workflowBundle: bundle }),
    interceptors: {
      activity: [
        ...(tracer ? [(context: Context) => traceSteps(tracer, context.info)] : []),
        (context) => codesOnly({ log, metrics }, context),
      ],
    },
    tuner: {
      workflowTaskSlotSupplier: { type: "fixed-size", numSlots: 20 },
      activityTaskSlotSupplier,
      localActivityTaskSlotSupplier: { type: "fixed-size", numSlots: 1 },
      nexusTaskSlotSupplier: { type: "fixed-size", numSlots: 1 },
    },
    maxConcurrentActivityTaskPolls: activityTaskSlotSupplier.polls,
    maxConcurrentWorkflowTaskPolls: 4,
    maxCachedWorkflows: 200,
    // A cancelled chunk should leave the engine within seconds; the default tells it after up to a minute.
    maxHeartbeatThrottleInterval: "5s",
    shutdownGraceTime: 0, // draining has waited already
    shutdownForceTime: CANCEL_MS,
  });
}
