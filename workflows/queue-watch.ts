import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import type { Logger } from "../process/log.ts";
import { Gauge, type Registry } from "../process/metrics.ts";
import { TASK_QUEUES, type TaskQueue } from "./names.ts";

/** What scrapers ask at; fourteen small calls each time. */
const EVERY_MS = 15_000;
/** A poll lasts up to a minute, so a worker that lives was seen within two. The server tells of five. */
const SEEN_WITHIN_MS = 120_000;
/** Of the API's enum TaskQueueType. */
const TYPES = { workflow: 1, activity: 2 };

export interface QueueMetrics {
  backlog: Gauge<"queue">;
  oldestSeconds: Gauge<"queue">;
  workers: Gauge<"queue">;
}

/** Of a `transcripts` worker, which asks for all queues: a queue without workers cannot speak for itself. */
export function createQueueMetrics(registry: Registry): QueueMetrics {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ["queue"], registers: [registry] });
  return {
    backlog: gauge("escriba_queue_backlog", "Tasks that wait on a task queue for a worker, about."),
    oldestSeconds: gauge("escriba_queue_oldest_seconds", "How long the first of them has waited; 0 when none waits."),
    workers: gauge("escriba_queue_workers", "Worker processes that asked a task queue for work within two minutes."),
  };
}

export interface QueueState {
  queue: TaskQueue;
  backlog: number;
  oldestSeconds: number;
  workers: number;
}

/** What Temporal says of a task queue: steps, and workflows where it has any. */
export async function readQueue(client: Client, queue: TaskQueue, now: number): Promise<QueueState> {
  const workers = new Set<string>();
  let backlog = 0;
  let oldestSeconds = 0;
  for (const taskQueueType of Object.values(TYPES)) {
    const { pollers, stats } = await client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: queue },
      taskQueueType,
      reportStats: true,
    });
    const waiting = Number(stats?.approximateBacklogCount ?? 0);
    backlog += waiting;
    // The age stays for a while when the last one is gone.
    if (waiting > 0) oldestSeconds = Math.max(oldestSeconds, Number(stats?.approximateBacklogAge?.seconds ?? 0));
    for (const { identity, lastAccessTime } of pollers) {
      const seen = Number(lastAccessTime?.seconds ?? 0) * 1_000;
      if (now - seen < SEEN_WITHIN_MS) workers.add(identity ?? "");
    }
  }
  return { queue, backlog, oldestSeconds, workers: workers.size };
}

/** Resolves when `signal` aborts. While Temporal does not answer the figures of the last time stand. */
export async function watchQueues(
  { client, metrics, log, now }: { client: Client; metrics: QueueMetrics; log: Logger; now: () => number },
  signal: AbortSignal,
  everyMs = EVERY_MS,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const queue of Object.values(TASK_QUEUES)) {
        const { backlog, oldestSeconds, workers } = await readQueue(client, queue, now());
        metrics.backlog.set({ queue }, backlog);
        metrics.oldestSeconds.set({ queue }, oldestSeconds);
        metrics.workers.set({ queue }, workers);
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, "Temporal did not say what waits on the task queues");
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
