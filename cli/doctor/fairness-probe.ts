import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";

/** One organization's tasks that wait already, and those of another that comes after them. */
export const AHEAD = 200;
export const LATE = 5;
/** Whatever becomes of the probe and of this process, the server ends its workflows after this. */
const LIFETIME = msToTs("3m");

const ASK_MS = 60_000;
/** Of the API's enums (temporal.api.enums.v1). */
const SCHEDULE_ACTIVITY_TASK = 1;
const ACTIVITY = 2;

export interface Fairness {
  on: boolean;
  /** When the late ones were handed out, from 1; those not seen before the last of the others count as after it. */
  positions: number[];
  handedOut: number;
}

/**
 * Finds out whether the server shares a task queue out between fairness keys, on a queue of its own that no worker
 * serves: two workflows of 200 and 5 activities, then polls, one after the other, whose order tells. Everything is asked
 * for by plain calls, so that no workflow code has to be bundled and no worker prefetches. Nothing is left behind.
 */
export async function probeFairness(connection: Connection, namespace: string, signal: AbortSignal): Promise<Fairness> {
  const probe = new Probe(connection, namespace, signal);
  try {
    await probe.queue("ahead", AHEAD);
    await probe.backlog(AHEAD);
    await probe.queue("late", LATE);
    await probe.backlog(AHEAD + LATE);
    return judge(await probe.order());
  } finally {
    await probe.cleanUp();
  }
}

/**
 * Without fairness the late ones come last, with several partitions each last in its own. With it they come early, not
 * strictly in turns: 4, 5, 7, 20 and 36 were seen. The middle one decides.
 */
export function judge(order: readonly string[]): Fairness {
  const positions = order.flatMap((key, at) => (key === "late" ? [at + 1] : []));
  while (positions.length < LATE) positions.push(order.length + 1);
  const middle = positions[Math.floor(LATE / 2)] as number;
  return { on: middle <= (AHEAD + LATE) / 4, positions, handedOut: order.length };
}

class Probe {
  readonly #service: Connection["workflowService"];
  readonly #connection: Connection;
  readonly #namespace: string;
  readonly #signal: AbortSignal;
  readonly #name = `escriba-doctor-${randomUUID()}`;
  readonly #started: string[] = [];

  constructor(connection: Connection, namespace: string, signal: AbortSignal) {
    this.#connection = connection;
    this.#service = connection.workflowService;
    this.#namespace = namespace;
    this.#signal = signal;
  }

  /** A workflow whose one task schedules `count` activities of the fairness key. */
  async queue(key: string, count: number): Promise<void> {
    const workflowId = `${this.#name}-${key}`;
    const common = { namespace: this.#namespace, identity: this.#name };
    await this.#ask(() =>
      this.#service.startWorkflowExecution({
        ...common,
        workflowId,
        requestId: randomUUID(),
        workflowType: { name: "escriba-doctor-probe" },
        taskQueue: { name: this.#workflowQueue },
        workflowExecutionTimeout: LIFETIME,
      }),
    );
    this.#started.push(workflowId);
    const { taskToken } = await this.#poll(() =>
      this.#service.pollWorkflowTaskQueue({ ...common, taskQueue: { name: this.#workflowQueue } }),
    );
    const commands = Array.from({ length: count }, (_, at) => ({
      commandType: SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: {
        activityId: `${key}-${at}`,
        activityType: { name: key },
        taskQueue: { name: this.#name },
        startToCloseTimeout: LIFETIME,
        retryPolicy: { maximumAttempts: 1 },
        priority: { fairnessKey: key },
      },
    }));
    await this.#ask(() => this.#service.respondWorkflowTaskCompleted({ ...common, taskToken, commands }));
  }

  /** Resolves when the queue holds that many, or after a while: the count is an approximation. */
  async backlog(wanted: number): Promise<void> {
    for (let tries = 0; tries < 40; tries += 1) {
      const { stats } = await this.#ask(() =>
        this.#service.describeTaskQueue({
          namespace: this.#namespace,
          taskQueue: { name: this.#name },
          taskQueueType: ACTIVITY,
          reportStats: true,
        }),
      );
      if (Number(stats?.approximateBacklogCount ?? 0) >= wanted) return;
      await sleep(100, undefined, { signal: this.#signal });
    }
  }

  /** The keys in the order of the polls, until every late one was seen. */
  async order(): Promise<string[]> {
    const keys: string[] = [];
    let late = 0;
    while (late < LATE && keys.length < AHEAD + LATE) {
      const { activityType } = await this.#poll(() =>
        this.#service.pollActivityTaskQueue({
          namespace: this.#namespace,
          identity: this.#name,
          taskQueue: { name: this.#name },
        }),
      );
      keys.push(activityType?.name ?? "");
      if (activityType?.name === "late") late += 1;
    }
    return keys;
  }

  /** Ends the workflows and has them deleted, which the server does within a minute; what it refuses goes with its retention. */
  async cleanUp(): Promise<void> {
    for (const workflowId of this.#started) {
      const workflowExecution = { workflowId };
      const request = { namespace: this.#namespace, workflowExecution, reason: "the probe is over" };
      const within = <T>(call: () => Promise<T>) => this.#connection.withDeadline(Date.now() + 5_000, call);
      await within(() => this.#service.terminateWorkflowExecution(request)).catch(() => undefined);
      await within(() =>
        this.#service.deleteWorkflowExecution({ namespace: this.#namespace, workflowExecution }),
      ).catch(() => undefined);
    }
  }

  get #workflowQueue(): string {
    return `${this.#name}-workflows`;
  }

  /** An empty answer is a poll whose time was up. */
  async #poll<Task extends { taskToken: Uint8Array }>(poll: () => Promise<Task>): Promise<Task> {
    for (;;) {
      const task = await this.#ask(poll);
      if (task.taskToken.length > 0) return task;
    }
  }

  /** Long polls want a deadline. */
  #ask<T>(call: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + ASK_MS;
    return this.#connection.withAbortSignal(this.#signal, () => this.#connection.withDeadline(deadline, call));
  }
}
