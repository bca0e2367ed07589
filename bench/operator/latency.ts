import { setTimeout as sleep } from "node:timers/promises";
import type { WorkerPoolObject } from "../../operator/kubernetes/objects.ts";
import { WORKER_POOLS } from "../../operator/kubernetes/resources.ts";
import { parseWorkerPool, type WorkerPool } from "../../operator/workerpool/types.ts";
import { eventually, NAMESPACE, type Stage } from "../../test/cluster/stage.ts";

/** Longest that one answer is waited for. */
const LOST_MS = 60_000;
/** Before a watch that failed is begun again. */
const AGAIN_MS = 200;
/** So many measurements are a line of progress. */
const PROGRESS = 25;

/** Watches every pool, and says when one became what is waited for. */
export class PoolWatch {
  readonly #stage: Stage;
  readonly #end = new AbortController();
  readonly #waiting = new Set<(pool: WorkerPool) => void>();
  #running: Promise<void> | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  start(): void {
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  /** Resolves with the moment, on performance's clock, at which the API server told of it. */
  when(name: string, holds: (pool: WorkerPool) => boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${name} did not change within ${LOST_MS} ms`)), LOST_MS);
      const look = (pool: WorkerPool) => {
        if (pool.metadata.name !== name || !holds(pool)) return;
        clearTimeout(late);
        this.#waiting.delete(look);
        resolve(performance.now());
      };
      this.#waiting.add(look);
    });
  }

  async #follow(): Promise<void> {
    const { api } = this.#stage;
    while (!this.#end.signal.aborted) {
      try {
        const { resourceVersion } = await api.list(WORKER_POOLS, { namespace: NAMESPACE });
        const watch = api.watch(WORKER_POOLS, { namespace: NAMESPACE, resourceVersion }, this.#end.signal);
        for await (const event of watch) {
          if (event.type !== "MODIFIED") continue;
          const pool = parseWorkerPool(event.object);
          for (const look of [...this.#waiting]) look(pool);
        }
      } catch {
        await sleep(AGAIN_MS); // who waits meanwhile finds out by LOST_MS
      }
    }
  }
}

/**
 * Milliseconds from a backlog that the demand endpoint shows to the API server's news of more replicas, for pool after
 * pool, at moments that have nothing to do with the operator's own rhythm.
 */
export async function backlogToScale(
  stage: Stage,
  watch: PoolWatch,
  pools: string[],
  count: number,
  say: (line: string) => void,
): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = pools[at % pools.length] as string;
    await eventually(
      "idle",
      () => stage.pool(name),
      ({ spec }) => spec.replicas === 0,
    );
    await sleep(Math.random() * 2_000);
    const scaled = watch.when(name, ({ spec }) => spec.replicas > 0);
    const begun = performance.now();
    stage.demand.backlog(name, 1, name);
    try {
      times.push((await scaled) - begun);
    } finally {
      stage.demand.backlog(name, 0, name);
    }
    if (times.length % PROGRESS === 0) say(`${times.length} of ${count} backlogs`);
  }
  return times;
}

/** Milliseconds from the sending of a change of a pool to the news of a status that has taken it in. */
export async function changeToStatus(
  stage: Stage,
  watch: PoolWatch,
  pools: string[],
  count: number,
  say: (line: string) => void,
): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = pools[at % pools.length] as string;
    await sleep(Math.random() * 500);
    const { metadata } = await stage.pool(name);
    const taken = watch.when(name, ({ status }) => (status.observedGeneration ?? 0) > metadata.generation);
    const begun = performance.now();
    // Another value each time: what changes nothing is no generation.
    const change = { spec: { scaling: { targetWaitSeconds: 31 + at } } };
    await stage.api.patch<WorkerPoolObject>(WORKER_POOLS, NAMESPACE, name, change);
    times.push((await taken) - begun);
    if (times.length % PROGRESS === 0) say(`${times.length} of ${count} changes`);
  }
  return times;
}
