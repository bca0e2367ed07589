import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../eval/random.ts";
import { type Stack, type Submitted, startStack } from "../../test/workflows/stack.ts";
import { TASK_QUEUES } from "../../workflows/names.ts";
import type { RunningWorker } from "../../workflows/worker.ts";
import type { WorkerStatus } from "../../workflows/worker-control.ts";
import { preparing, type Shape, SleepingEngine, upload } from "./sleeping-engine.ts";

export interface ScaleDowns {
  /** Workers drained over HTTP and ended once nothing was held. */
  scale_downs: number;
  /** Workers that were only sent SIGTERM, as a node's drain does. */
  sigterms: number;
  /** Activities of the transcripts; and of those on the queues whose workers come and go, the ones begun again. */
  activities: number;
  activities_restarted: number;
  /** Of these, attempts that ended by a time-out: matched to a poll that nobody read, or to a worker that was gone. */
  tasks_lost: number;
  /**
   * The same on the queues whose one worker stays all the time: what a server on a busy machine loses without any
   * scale-down. `tasks_lost` is to be held against it.
   */
  lost_where_none_left: number;
  /**
   * Attempts that the server itself lost: it says that it could not write to its database in time, as on a machine that
   * is busy with other things. They are in none of the figures above; workers that stay lose them too.
   */
  server_faults: number;
  /** Transcripts that did not complete. */
  transcripts_lost: number;
  drain_ms_p50: number;
  drain_ms_max: number;
}

export interface ScaleDownOptions {
  scaleDowns: number;
  /** Besides, workers ended by SIGTERM alone. */
  sigterms: number;
  seed: number;
  /** Transcripts at a time: enough that tasks always wait, as they do when a pool is scaled under load. */
  inFlight?: number;
  /** Milliseconds that the engine takes for a window. */
  windowMs?: number;
  /** Settings of the Temporal server; none, as others run it, when absent. */
  dynamicConfig?: readonly string[];
  say?: (line: string) => void;
  /** Seconds that a worker has for its steps after SIGTERM; too few, and the figures must show it. */
  graceSeconds?: number;
}

const POOL = 3;
const POOL_QUEUES: readonly string[] = [TASK_QUEUES.speech, TASK_QUEUES.speechShort];
/** Two of these queues have work at any time, since a poll of an empty one lasts as long as the server likes. */
const SHAPES: Shape[] = [
  { chunks: 12, windows: 4, durationMs: 600_000, prepareMs: 0 },
  { chunks: 8, windows: 2, durationMs: 120_000, prepareMs: 0 },
];

/**
 * Workers of speech come and go at random moments under load, on a Temporal server as others run it, without any of the
 * settings that the product asks for; then every attempt of every activity is counted in the histories.
 */
export async function measureScaleDowns(options: ScaleDownOptions): Promise<ScaleDowns> {
  const stack = await startStack({ dynamicConfig: options.dynamicConfig ?? [] });
  try {
    return await underLoad(stack, options);
  } finally {
    await stack.stop();
  }
}

async function underLoad(stack: Stack, options: ScaleDownOptions): Promise<ScaleDowns> {
  const { scaleDowns, sigterms, seed, say, inFlight = 10, windowMs = 8, graceSeconds = 90 } = options;
  const random = new Random(seed);
  const environment = {
    ESCRIBA_QUEUES: POOL_QUEUES.join(),
    ESCRIBA_SLOTS_SPEECH_SHORT: "2",
    ESCRIBA_GRACE_SECONDS: String(graceSeconds),
  };
  const join = () => stack.worker({ engine: new SleepingEngine({ identifyMs: 5, windowMs }) }, environment);
  await stack.worker(
    { prepareAudio: preparing },
    { ESCRIBA_QUEUES: "transcripts,media,language", ESCRIBA_SLOTS_MEDIA: "4" },
  );
  const pool = await Promise.all(Array.from({ length: POOL }, join));
  const load = startLoad(stack, random, inFlight);
  const { transcriptWork } = stack.postgres.db;
  while ((await transcriptWork.count({ where: { doneChunks: { gt: 0 }, queue: { not: "media" } } })) === 0) {
    await sleep(50);
  }
  const waits: number[] = [];
  const left = { drains: 0, sigterms: 0 };
  while (left.drains < scaleDowns || left.sigterms < sigterms) {
    await sleep(random.between(0, 200));
    const [worker] = pool.splice(random.below(pool.length), 1);
    if (!worker) throw new Error("the pool is empty");
    const joining = join();
    const began = performance.now();
    const bySignal = left.sigterms < sigterms && (left.drains >= scaleDowns || random.chance(0.2));
    if (!bySignal) await drainOverHttp(worker);
    await worker.drain();
    waits.push(performance.now() - began);
    left[bySignal ? "sigterms" : "drains"] += 1;
    pool.push(await joining);
    if (waits.length % 25 === 0) say?.(`${waits.length} workers have left, ${load.submitted.length} transcripts`);
  }
  const submitted = await load.end();
  const rows = await Promise.all(submitted.map(({ final }) => final()));
  const counts = await countAttempts(stack, submitted, say);
  waits.sort((a, b) => a - b);
  return {
    scale_downs: left.drains,
    sigterms: left.sigterms,
    ...counts,
    transcripts_lost: rows.filter((row) => row?.status !== "completed").length,
    drain_ms_p50: Math.round(waits[waits.length >> 1] ?? 0),
    drain_ms_max: Math.round(waits.at(-1) ?? 0),
  };
}

/** As the operator does: asks for the drain, then for the status until nothing is held. */
async function drainOverHttp(worker: RunningWorker): Promise<void> {
  const ask = async (path: string, method: string) => {
    const response = await fetch(new URL(path, worker.metricsUrl), { method });
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
    return (await response.json()) as WorkerStatus;
  };
  await ask("/drain", "POST");
  for (;;) {
    const { permits, busy } = await ask("/status", "GET");
    if (permits === 0 && busy === 0) return;
    await sleep(20);
  }
}

/** Keeps so many transcripts in flight until it is ended. */
function startLoad(stack: Stack, random: Random, inFlight: number) {
  const submitted: Submitted[] = [];
  let ending = false;
  const lane = async (organizationId: string | undefined) => {
    while (!ending) {
      const shape = random.pick(SHAPES);
      const one = await stack.submit(upload(shape), {
        ...{ language: "es", creditEur: "1000", durationMs: shape.durationMs },
        ...(organizationId && { organizationId }),
      });
      submitted.push(one);
      organizationId = one.organizationId;
      await one.final();
    }
  };
  const lanes = Promise.all(Array.from({ length: inFlight }, () => lane(undefined)));
  lanes.catch(() => undefined); // told by end()
  return {
    submitted,
    end: async () => {
      ending = true;
      await lanes;
      return submitted;
    },
  };
}

async function countAttempts(stack: Stack, submitted: readonly Submitted[], say?: (line: string) => void) {
  const counts = { activities: 0, activities_restarted: 0, tasks_lost: 0, lost_where_none_left: 0, server_faults: 0 };
  const said = stack.temporal.said().split("\n");
  const failedWrites = said.filter(
    (line) => line.includes("operation failed") && /context (deadline exceeded|canceled)/.test(line),
  );
  for (const { id } of submitted) {
    const { events } = await stack.temporal.client.workflow.getHandle(id).fetchHistory();
    for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
      if (!started) continue;
      counts.activities += 1;
      if ((started.attempt ?? 1) === 1) continue;
      const scheduled = events?.find(({ eventId }) => String(eventId) === String(started.scheduledEventId));
      const { activityType, taskQueue } = scheduled?.activityTaskScheduledEventAttributes ?? {};
      const queue = taskQueue?.name ?? "";
      const lost = Boolean(started.lastFailure?.timeoutFailureInfo);
      const ofServer = lost && failedWrites.some((line) => line.includes(id));
      const ofPool = POOL_QUEUES.includes(queue);
      if (ofServer) counts.server_faults += 1;
      else if (ofPool) counts.activities_restarted += 1;
      if (lost && !ofServer) counts[ofPool ? "tasks_lost" : "lost_where_none_left"] += 1;
      const why = `${started.lastFailure?.message}${ofServer ? ", after a write that the server failed" : ""}`;
      say?.(`${activityType?.name} on ${queue} had attempt ${started.attempt}: ${why} (${id})`);
      for (const line of said.filter((one) => one.includes(id))) say?.(`  server: ${line.slice(0, 900)}`);
    }
  }
  return counts;
}
