import type { Logger } from "../process/log.ts";
import type { Clock } from "./clock.ts";
import { Decisions } from "./decisions.ts";
import type { KubernetesApi } from "./kubernetes/api.ts";
import { counted } from "./kubernetes/counted.ts";
import { LeaderLease } from "./leader/lease.ts";
import { Leading } from "./leading.ts";
import type { OperatorMetrics } from "./metrics.ts";
import type { AskDemand } from "./observe/demand.ts";
import type { WorkerPort } from "./worker/port.ts";

export interface OperatorParts {
  api: KubernetesApi;
  worker: WorkerPort;
  askDemand: AskDemand;
  clock: Clock;
  /** 0 to 1. */
  random: () => number;
  log: Logger;
  metrics: OperatorMetrics;
  /** Namespaces whose pools are looked after; empty for all. */
  namespaces: readonly string[];
  lease: { namespace: string; name: string; identity: string };
}

/** A loop that has not come round for so long hangs. */
const HUNG_MS = 60_000;

/** The controller of WorkerPools: waits until it leads, then looks after them until it is stopped or leads no more. */
export class Operator {
  readonly #parts: OperatorParts;
  readonly #lease: LeaderLease;
  readonly decisions = new Decisions();
  #leading: Leading | undefined;

  constructor(parts: OperatorParts) {
    const { clock, random, lease } = parts;
    const api = counted(parts.api, parts.metrics.calls);
    this.#parts = { ...parts, api };
    this.#lease = new LeaderLease({ ...lease, api, clock, random });
  }

  get leads(): boolean {
    return this.#lease.held;
  }

  /** Throws when the loop hangs, which only a new process mends. A server that is away is no reason. */
  live(): void {
    const idle = this.#leading?.age ?? this.#lease.idleFor;
    if (idle > HUNG_MS) throw new Error(`nothing has moved for ${Math.round(idle / 1000)} s`);
  }

  /** Rejects before the API server has said who leads and, to a leader, what there is. */
  async ready(): Promise<void> {
    if (!this.#lease.known) throw new Error("the API server has not answered about the lease");
    if (this.#leading && !this.#leading.inSight) throw new Error("the API server has not listed pools and pods lately");
  }

  /** Resolves after `signal`, with the lease given back. Rejects with LeaseLost: then the process has to end. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, metrics } = this.#parts;
    const onFault = (error: unknown) => {
      metrics.fault("lease");
      log.warn({ err: error }, "the lease could not be had or renewed; trying again");
    };
    await this.#lease.acquire(signal, onFault);
    if (!this.#lease.held) return;
    metrics.lease("acquired");
    log.info("this process leads");
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    this.#leading = new Leading(this.#parts, { lease: this.#lease, decisions: this.decisions });
    try {
      await together([this.#lease.keep(until, onFault), this.#leading.run(until)], over);
      await this.#lease.release();
    } catch (error) {
      log.fatal({ err: error }, "this process may not lead any more, and ends");
      throw error;
    } finally {
      this.#leading = undefined;
      metrics.lease("lost");
      metrics.forgetAll();
    }
    log.info("this process leads no more");
  }
}

/** When one fails the others are asked to end, and waited for. Rejects with the first fault. */
async function together(running: Promise<void>[], over: AbortController): Promise<void> {
  let fault: { error: unknown } | undefined;
  await Promise.all(
    running.map((one) =>
      one.catch((error: unknown) => {
        fault ??= { error };
        over.abort();
      }),
    ),
  );
  if (fault) throw fault.error;
}
