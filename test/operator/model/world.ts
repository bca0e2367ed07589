import { Random } from "../../../eval/random.ts";
import { ApiError } from "../../../operator/kubernetes/api.ts";
import type { Event, Pod, WorkerPoolObject } from "../../../operator/kubernetes/objects.ts";
import { EVENTS, PODS, SECRETS, WORKER_POOLS } from "../../../operator/kubernetes/resources.ts";
import type { OperatorMetrics } from "../../../operator/metrics.ts";
import type { AskDemand } from "../../../operator/observe/demand.ts";
import { POOL_LABEL } from "../../../operator/workerpool/group.ts";
import type { Logger } from "../../../process/log.ts";
import { VirtualClock } from "./clock.ts";
import { Kubelet } from "./kubelet.ts";
import { MemoryApi } from "./memory-api.ts";
import { type ApiFaults, NO_FAULTS, OperatorProcess } from "./process.ts";
import { Work } from "./work.ts";

export const NAMESPACE = "escriba";
export const POOL = "speech";
export const GOOD_IMAGE = "example.invalid/worker";

export type DemandFault = "down" | "late" | "wrong" | "empty" | null;

const silentMetrics: OperatorMetrics = {
  calls: { inc: () => undefined },
  decided: () => undefined,
  reconciled: () => undefined,
  drained: () => undefined,
  fault: () => undefined,
  lease: () => undefined,
  forget: () => undefined,
  forgetAll: () => undefined,
};

/** The longest that a write of a process that was paused may come after what it was decided on. */
const STALE_MS = 90_000;

/** A cluster with one pool, its work, two operators, and everything that can go wrong with them. */
export class World {
  readonly clock = new VirtualClock();
  readonly random: Random;
  readonly api: MemoryApi;
  readonly work: Work;
  readonly kubelet: Kubelet;
  readonly violations: string[] = [];
  /** What happened, for whoever reads a failing history. */
  readonly log: string[] = [];
  readonly processes: OperatorProcess[] = [];
  faults: ApiFaults = NO_FAULTS;
  demandFault: DemandFault = null;
  /** Most pods that a quota allows; null for no quota. */
  quota: number | null = null;
  refusesPods = false;
  /** Writes but those of the lease, since they were last looked at. */
  writes: string[] = [];
  written = 0;
  #limits: { at: number; pods: number }[] = [];
  #started = 0;
  readonly #replaced = new Set<OperatorProcess>();
  readonly #past = new Map<string, unknown>();

  constructor(seed: number, nodes: { count: number; gpus: number }) {
    this.random = new Random(seed);
    this.api = new MemoryApi(this.clock);
    this.work = new Work(this.clock, this.random);
    this.kubelet = new Kubelet(this.api, this.clock, this.random, this.work, nodes);
    this.api.admission = (plural, object, dryRun) => {
      if (plural === "pods") this.#admit(object as Pod, dryRun);
    };
    this.api.deleting = (plural, object) => {
      if (plural === "pods") this.#checkDeletion(object as Pod);
    };
  }

  async open(spec: object): Promise<void> {
    const token = { token: Buffer.from("t0ken").toString("base64") };
    await this.api.create(SECRETS, { metadata: { name: "demand", namespace: NAMESPACE }, data: token });
    await this.api.create(WORKER_POOLS, { metadata: { name: POOL, namespace: NAMESPACE }, spec });
    this.#notice();
    this.startProcess();
    this.startProcess();
  }

  get pool(): Pool {
    return this.api.peek(WORKER_POOLS)[0] as Pool;
  }

  /** The pool's pods, ended and terminating ones too. */
  get pods(): Pod[] {
    return this.api.peek(PODS, { labels: `${POOL_LABEL}=${POOL}` });
  }

  get events(): Event[] {
    return this.api.peek(EVENTS);
  }

  /** Somebody changes the pool's spec. */
  edit(change: (spec: PoolSpec) => PoolSpec, said: string): void {
    this.say(`edit: ${said}`);
    const { pool } = this;
    this.api.put(WORKER_POOLS, { ...pool, spec: change(pool.spec) });
    this.#notice();
  }

  startProcess(): OperatorProcess {
    const identity = `operator-${++this.#started}`;
    const say = (level: string) => (fields: { err?: Error; plan?: { actions: object[] } }, message: string) => {
      const actions = fields.plan ? ` ${JSON.stringify(fields.plan.actions)}` : "";
      this.say(`${identity} ${level}: ${message ?? fields}${fields.err ? `: ${fields.err.message}` : ""}${actions}`);
    };
    const log = { info: say("info"), warn: say("warn"), error: say("error"), fatal: say("fatal") } as unknown as Logger;
    const process = new OperatorProcess({
      memory: this.api,
      clock: this.clock,
      random: this.random,
      identity,
      worker: this.work.port,
      askDemand: this.#askDemand,
      faults: () => this.faults,
      past: this.#past,
      onUsurpation: (what) => this.violate(`${identity} begins to ${what} without the lease`),
      rest: { log, metrics: silentMetrics },
      onWrite: (verb, plural) => {
        if (plural === "leases") return;
        this.writes.push(`${verb} ${plural}`);
        this.written += 1;
      },
    });
    this.processes.push(process);
    this.say(`${identity} starts`);
    return process;
  }

  /** Lets time pass in small steps; in each the cluster and the workers move on. */
  async run(milliseconds: number): Promise<void> {
    const STEP_MS = 500;
    for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
      this.kubelet.step();
      this.work.step();
      this.#restart();
      await this.clock.advance(STEP_MS);
    }
  }

  /** A process that has ended is started again, as a Deployment does it. */
  #restart(): void {
    for (const process of this.processes) {
      if (!process.over || this.#replaced.has(process)) continue;
      this.#replaced.add(process);
      this.say("a process has ended");
      void this.clock.sleep(this.random.between(1_000, 8_000)).then(() => this.startProcess());
    }
  }

  /** Ends every trouble of the API, admission and demand. */
  mend(): void {
    this.faults = NO_FAULTS;
    this.demandFault = null;
    this.quota = null;
    this.refusesPods = false;
    for (const uid of this.work.running) this.work.silence(uid, false);
  }

  say(line: string): void {
    this.log.push(`${(this.clock.monotonic() / 1000).toFixed(1).padStart(7)}  ${line}`);
  }

  violate(what: string): void {
    this.violations.push(what);
    this.say(`VIOLATION ${what}`);
  }

  readonly #askDemand: AskDemand = async () => {
    const date = this.clock.now();
    if (this.demandFault === "down") throw new Error("connect ECONNREFUSED");
    if (this.demandFault === "wrong") return { body: { version: 1, observedAt: "yesterday" }, date };
    if (this.demandFault === "empty") {
      return { body: { version: 1, observedAt: new Date(date).toISOString(), organizations: [] }, date };
    }
    return { body: this.work.demand(this.demandFault === "late" ? date - 45_000 : date), date };
  };

  #notice(): void {
    const { scaling, rollout } = this.pool.spec;
    this.#limits.push({ at: this.clock.monotonic(), pods: scaling.maxReplicas + rollout.maxSurge });
  }

  /** The highest limit that a process may still believe in. */
  get #limit(): number {
    const now = this.clock.monotonic();
    const past = this.#limits.filter(
      ({ at }, index) => now - (this.#limits[index + 1]?.at ?? now) <= STALE_MS || at === now,
    );
    return Math.max(...past.map(({ pods }) => pods));
  }

  #admit(pod: Pod, dryRun: boolean): void {
    const there = this.pods.filter(({ status }) => status?.phase !== "Failed" && status?.phase !== "Succeeded");
    if (this.refusesPods) throw new ApiError(403, "Forbidden", `admission webhook "policy" denied the request`);
    if (this.quota !== null && there.length >= this.quota) {
      throw new ApiError(403, "Forbidden", `pods "${pod.metadata.name}" is forbidden: exceeded quota: gpus`);
    }
    if (dryRun || pod.metadata.labels?.[POOL_LABEL] !== POOL) return;
    const count = there.filter(({ metadata }) => !metadata.deletionTimestamp).length + 1;
    if (count > this.#limit) this.violate(`${count} pods, and at most ${this.#limit} are allowed`);
  }

  #checkDeletion(pod: Pod): void {
    const held = this.work.held(pod.metadata.uid as string);
    if (held && (held.permits > 0 || held.busy > 0)) {
      this.violate(`${pod.metadata.name} was deleted with ${held.permits} permits and ${held.busy} tasks`);
    }
  }
}

type Pool = WorkerPoolObject & { spec: PoolSpec; status?: PoolStatus };

export interface PoolSpec {
  replicas?: number;
  paused?: boolean;
  scaling: { mode?: string; minReplicas: number; maxReplicas: number; [field: string]: unknown };
  rollout: { maxSurge: number; maxUnavailable: number; [field: string]: unknown };
  template: { spec: { containers: { image: string; [field: string]: unknown }[]; [field: string]: unknown } };
  [field: string]: unknown;
}

export interface PoolStatus {
  replicas?: number;
  readyReplicas?: number;
  updatedReplicas?: number;
  desiredReplicas?: number;
  observedGeneration?: number;
  templateHash?: string;
  busyReplicas?: number;
  draining?: object[];
  conditions?: { type: string; status: string }[];
  backoff?: { until: string }[];
}
