import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesApi } from "../../operator/kubernetes/api.ts";
import type { Pod } from "../../operator/kubernetes/objects.ts";
import { PODS } from "../../operator/kubernetes/resources.ts";
import { POOL_LABEL } from "../../operator/workerpool/group.ts";
import { FATE } from "./fake-nodes.ts";

const POLL_MS = 100;

/** The worker of one pretended pod, in a test's hands. */
export class PretendWorker {
  readonly pod: string;
  readonly pool: string;
  readonly slots = 1;
  /** Chunks that it works on. */
  busy = 0;
  /** While it drains: permits of polls that have not come back yet. */
  polls = 0;
  draining = false;
  /** It works, and answers nobody. */
  unreachable = false;
  readonly startedAt = new Date().toISOString();

  constructor(pod: string, pool: string) {
    this.pod = pod;
    this.pool = pool;
  }

  /** Takes a chunk up, if it takes any. */
  take(): boolean {
    if (this.draining || this.busy >= this.slots) return false;
    this.busy += 1;
    return true;
  }

  /** As a real one answers `/status`, which the tests of the worker prove. */
  status(): object {
    const { slots, busy, startedAt } = this;
    const permits = this.draining ? busy + this.polls : slots;
    const state = this.draining ? "draining" : "serving";
    const queues = { [this.pool]: { slots, permits, busy } };
    return { version: 1, state, permits, busy, slots, queues, audioSecondsPerSecond: null, startedAt };
  }
}

export interface PretendOptions {
  namespace: string;
  port: number;
  token: string;
}

/**
 * Serves, at the address of every pretended pod that runs, what its worker would. Nothing runs in such a pod, so the
 * worker's side of the agreement is played here.
 */
export class PretendWorkers {
  readonly #api: KubernetesApi;
  readonly #options: PretendOptions;
  readonly #servers = new Map<string, { server: Server; worker: PretendWorker }>();
  #loop: Promise<void> | undefined;
  #stopped = false;
  /** Pods that went while they worked. */
  readonly lost: string[] = [];
  /** Drains asked for, by pod. */
  readonly drained = new Set<string>();
  /** Requests without the right token. */
  refused = 0;

  constructor(api: KubernetesApi, options: PretendOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Of a pool's pods that run now, in order of their names. */
  of(pool: string): PretendWorker[] {
    const all = [...this.#servers.values()].map(({ worker }) => worker);
    return all.filter((worker) => worker.pool === pool).toSorted((a, b) => (a.pod < b.pod ? -1 : 1));
  }

  start(): void {
    this.#loop = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
    for (const { server } of this.#servers.values()) server.close().closeAllConnections();
    this.#servers.clear();
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      // The API server may be away for a while, by the test's own doing.
      const { namespace } = this.#options;
      const { items } = await this.#api.list(PODS, { namespace, labels: POOL_LABEL }).catch(() => ({ items: null }));
      if (items) this.#match(items);
      await sleep(POLL_MS);
    }
  }

  #match(pods: Pod[]): void {
    const running = new Map(pods.flatMap((pod) => (isServing(pod) ? [[pod.metadata.uid ?? "", pod]] : [])));
    for (const [uid, { server, worker }] of this.#servers) {
      if (running.has(uid)) continue;
      if (worker.busy > 0) this.lost.push(worker.pod);
      server.close().closeAllConnections();
      this.#servers.delete(uid);
    }
    for (const [uid, pod] of running) {
      if (!this.#servers.has(uid)) this.#servers.set(uid, this.#serve(pod));
    }
  }

  #serve(pod: Pod): { server: Server; worker: PretendWorker } {
    const worker = new PretendWorker(pod.metadata.name, pod.metadata.labels?.[POOL_LABEL] ?? "");
    const server = createServer((request, response) => this.#answer(worker, request, response));
    // A new pod may get the address of one that has just gone.
    server.on("error", () =>
      setTimeout(() => server.listening || server.listen(this.#options.port, pod.status?.podIP), POLL_MS),
    );
    server.listen(this.#options.port, pod.status?.podIP);
    return { server, worker };
  }

  #answer(worker: PretendWorker, request: IncomingMessage, response: ServerResponse): void {
    if (worker.unreachable) return;
    if (request.headers.authorization !== `Bearer ${this.#options.token}`) {
      this.refused += 1;
      response.writeHead(401).end();
      return;
    }
    const asked = `${request.method} ${request.url}`;
    if (asked === "POST /drain") {
      this.drained.add(worker.pod);
      worker.draining = true;
      response.statusCode = 202;
    } else if (asked === "DELETE /drain") {
      worker.draining = false;
    } else if (asked !== "GET /status") {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(worker.status()));
  }
}

/** Of a pod with a fate of its own, somebody else plays the worker. */
const isServing = ({ status, metadata }: Pod) =>
  metadata.annotations?.[FATE] === undefined &&
  status?.phase === "Running" &&
  status.podIP !== undefined &&
  metadata.deletionTimestamp === undefined &&
  (status.containerStatuses ?? []).every(({ state }) => state?.running);
