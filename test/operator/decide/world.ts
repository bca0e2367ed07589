import { decide } from "../../../operator/decide/decide.ts";
import type { CreateFailure, Observation, PodObservation } from "../../../operator/observation.ts";
import type { Action, Plan } from "../../../operator/plan.ts";
import type { WorkerPoolStatus } from "../../../operator/workerpool/types.ts";
import { at, observed, pod, type Spec, waiting } from "./observed.ts";

/**
 * A small cluster in memory with a clock of its own: kubelet, scheduler, workers and backlog as far as a decision
 * sees them. Things happen to it as a property says; each tick observes, decides and does what was decided.
 */
export class World {
  seconds = 0;
  spec: Spec & { replicas: number };
  template = "template1";
  pods: PodObservation[] = [];
  status: WorkerPoolStatus | undefined;
  /** Outstanding chunks of 300 s; null when the API does not answer. */
  backlog: number[] | null = [];
  /** Pods that nobody can reach. */
  silent = new Set<string>();
  /** GPUs of the cluster. */
  nodes: number;
  quotaUsedUp = false;
  /** How long a pod loads its models. */
  loadSeconds = 0;
  /** Templates that crash. */
  broken = new Set<string>();
  #failures: CreateFailure[] = [];
  #versions = 1000;

  constructor(spec: Spec, nodes: number) {
    this.spec = { replicas: 0, ...spec };
    this.nodes = nodes;
  }

  observe(): Observation {
    return observed({
      now: at(this.seconds),
      spec: this.spec,
      pool: { templateHash: this.template },
      ...(this.status && { status: this.status }),
      // As JSON: what was observed must not change when the world does.
      pods: structuredClone(this.pods.map((one) => (this.silent.has(one.uid) ? { ...one, worker: null } : one))),
      demand: this.backlog && {
        ...waiting(...this.backlog.map((chunks): [number, number] => [chunks, chunks * 300])),
        observedAt: at(this.seconds - 1),
      },
      failures: this.#failures,
    });
  }

  /** One reconciliation. `done` says which of the actions get through; all, when it is left out. */
  tick(done: (index: number) => boolean = () => true): { observation: Observation; plan: Plan } {
    const observation = this.observe();
    const plan = decide(observation);
    this.#failures = [];
    for (const [index, action] of plan.actions.entries()) {
      if (done(index)) this.#do(action);
      else if (action.kind === "scale") return { observation, plan };
    }
    this.status = structuredClone(plan.status);
    return { observation, plan };
  }

  #do(action: Action): void {
    if (action.kind === "scale") {
      this.spec.replicas = action.to;
      return;
    }
    if (action.kind === "create") {
      if (this.pods.some(({ name }) => name === action.pod)) throw new Error(`${action.pod} exists`);
      if (this.quotaUsedUp) {
        const message = "exceeded quota";
        this.#failures.push({ templateHash: action.templateHash, at: at(this.seconds), reason: "Quota", message });
      } else this.#create(action.index, action.templateHash);
      return;
    }
    const target = this.pods.find(({ uid }) => uid === action.uid);
    if (!target) return;
    if (action.kind === "delete") {
      if (target.resourceVersion !== action.resourceVersion) return;
      if (target.worker && (target.worker.busy > 0 || target.worker.permits > 0))
        throw new Error(`${target.name}: work lost`);
      this.pods.splice(this.pods.indexOf(target), 1);
    } else if (target.worker && !this.silent.has(target.uid)) {
      const state = action.kind === "drain" ? "draining" : "serving";
      this.#worker(target, { state, permits: state === "serving" ? 1 : target.worker.busy });
    }
  }

  #create(index: number, templateHash: string): void {
    const created = pod(index, { templateHash });
    this.pods.push({
      ...created,
      uid: `${created.name}-${this.#versions++}`,
      createdAt: at(this.seconds),
      phase: "Pending",
      scheduledAt: null,
      ready: false,
      readyChangedAt: null,
      running: false,
      worker: null,
    });
  }

  /** The cluster goes on: pods find nodes, start, get ready, or crash. */
  live(): void {
    this.seconds += 2;
    for (const one of this.pods) {
      if (one.phase === "Failed" || one.nodeLost) continue;
      const used = this.pods.filter(({ scheduledAt, phase }) => scheduledAt !== null && phase !== "Failed").length;
      if (one.scheduledAt === null) {
        if (used < this.nodes) this.#change(one, { scheduledAt: at(this.seconds), unschedulable: null });
        else one.unschedulable ??= { since: at(this.seconds), message: "0/3 nodes are available" };
      } else if (this.broken.has(one.templateHash) && !one.running) {
        const waiting = { reason: "CrashLoopBackOff", message: "back-off restarting failed container" };
        this.#change(one, { phase: "Running", waiting, restarts: one.restarts + 1 });
      } else if (!one.running) {
        this.#change(one, { phase: "Running", running: true, waiting: null });
        one.worker = { state: "starting", permits: 0, busy: 0, slots: 1, audioSecondsPerSecond: null };
      } else if (one.worker?.state === "starting") {
        const since = Date.parse(at(this.seconds)) - Date.parse(one.scheduledAt);
        if (since >= this.loadSeconds * 1000) this.#worker(one, { state: "serving", permits: 1 });
      }
    }
    this.pods = this.pods.filter((one) => one.deletedAt === null || one.nodeLost || (one.worker?.busy ?? 0) > 0);
  }

  /** A worker takes a task, if it may; or finishes one. */
  take(index: number): void {
    const one = this.pods[index % Math.max(1, this.pods.length)];
    if (one?.worker?.state === "serving") this.#worker(one, { busy: 1, permits: 1 });
  }
  finish(index: number): void {
    const one = this.pods[index % Math.max(1, this.pods.length)];
    if (one?.worker && one.worker.busy > 0)
      this.#worker(one, { busy: 0, permits: one.worker.state === "draining" ? 0 : 1 });
  }

  /** Something befalls a pod. */
  befall(index: number, what: "evict" | "lose" | "find" | "terminate" | "silence" | "answer"): void {
    const one = this.pods[index % Math.max(1, this.pods.length)];
    if (!one) return;
    if (what === "silence") this.silent.add(one.uid);
    else if (what === "answer") this.silent.delete(one.uid);
    else if (what === "evict")
      this.#change(one, { phase: "Failed", reason: "Evicted", running: false, ready: false, worker: null });
    else if (what === "terminate") this.#change(one, { deletedAt: at(this.seconds) });
    else this.#change(one, { nodeLost: what === "lose" && one.scheduledAt !== null });
  }

  #worker(one: PodObservation, status: Partial<NonNullable<PodObservation["worker"]>>): void {
    if (!one.worker) return;
    one.worker = { ...one.worker, ...status };
    const ready = one.worker.state === "serving";
    if (ready !== one.ready) this.#change(one, { ready, readyChangedAt: at(this.seconds) });
  }

  #change(one: PodObservation, facts: Partial<PodObservation>): void {
    Object.assign(one, facts, { resourceVersion: `${this.#versions++}` });
  }
}
