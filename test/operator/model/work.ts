import type { Random } from "../../../eval/random.ts";
import type { Clock } from "../../../operator/clock.ts";
import { CallFailed } from "../../../operator/json-call.ts";
import type { WorkerStatus } from "../../../operator/observation.ts";
import type { WorkerPort } from "../../../operator/worker/port.ts";

/** Longest time a task queue keeps a poll that finds nothing. */
const LONG_POLL_MS = 4_000;
const SECONDS_A_CHUNK = 60;

interface Worker {
  uid: string;
  address: string;
  slots: number;
  state: WorkerStatus["state"];
  /** When the polls that were out when the drain began come back. */
  polls: number[];
  tasks: { organization: string; doneAt: number }[];
  /** Does not answer, though it works on. */
  silent: boolean;
}

/** What waits, and the workers in the pods that do it: permits, polls and tasks as Temporal hands them out. */
export class Work {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #workers = new Map<string, Worker>();
  readonly waiting = new Map<string, number>();
  done = 0;
  /** Chunks begun and lost with their worker. */
  lost = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  post(organization: string, chunks: number): void {
    this.waiting.set(organization, (this.waiting.get(organization) ?? 0) + chunks);
  }

  start(uid: string, address: string, slots: number): void {
    this.#workers.set(uid, { uid, address, slots, state: "starting", polls: [], tasks: [], silent: false });
  }

  /** Its models are loaded. */
  serve(uid: string): void {
    const worker = this.#workers.get(uid);
    if (worker?.state === "starting") worker.state = "serving";
  }

  /** SIGKILL, or its node is gone: what it had waits again. */
  kill(uid: string): void {
    const worker = this.#workers.get(uid);
    if (!worker) return;
    this.#workers.delete(uid);
    for (const { organization } of worker.tasks) this.post(organization, 1);
    this.lost += worker.tasks.length;
  }

  /** SIGTERM: it drains. */
  terminate(uid: string): void {
    const worker = this.#workers.get(uid);
    if (worker && worker.state !== "draining") this.#drain(worker);
  }

  /** Tasks and permits of a pod's worker; null when there is none. */
  held(uid: string): { permits: number; busy: number } | null {
    const worker = this.#workers.get(uid);
    return worker ? { permits: this.#permits(worker), busy: worker.tasks.length } : null;
  }

  silence(uid: string, silent: boolean): void {
    const worker = this.#workers.get(uid);
    if (worker) worker.silent = silent;
  }

  /** Pods whose worker runs. */
  get running(): string[] {
    return [...this.#workers.keys()];
  }

  get outstanding(): number {
    const waiting = [...this.waiting.values()].reduce((sum, chunks) => sum + chunks, 0);
    return [...this.#workers.values()].reduce((sum, { tasks }) => sum + tasks.length, waiting);
  }

  step(): void {
    const now = this.#clock.now();
    for (const worker of this.#workers.values()) {
      const before = worker.tasks.length;
      worker.tasks = worker.tasks.filter(({ doneAt }) => doneAt > now);
      this.done += before - worker.tasks.length;
      if (worker.state === "serving") {
        while (worker.tasks.length < worker.slots && this.#take(worker)) {}
      }
      // A poll that was out comes back with a task, which runs, or empty.
      const back = worker.polls.filter((at) => at <= now);
      worker.polls = worker.polls.filter((at) => at > now);
      for (const _ of back) if (this.#random.chance(0.5)) this.#take(worker);
    }
  }

  /** The answer of `/internal/demand`. */
  demand(observedAt = this.#clock.now()): object {
    const chunks = new Map(this.waiting);
    for (const { tasks } of this.#workers.values()) {
      for (const { organization } of tasks) chunks.set(organization, (chunks.get(organization) ?? 0) + 1);
    }
    return {
      version: 1,
      observedAt: new Date(observedAt).toISOString(),
      organizations: [...chunks].flatMap(([id, outstandingChunks]) => {
        const outstandingSeconds = outstandingChunks * SECONDS_A_CHUNK;
        const queues = { speech: { outstandingChunks, outstandingSeconds, waitingSince: null } };
        return outstandingChunks === 0 ? [] : [{ id, queues, speechSlots: 32 }];
      }),
    };
  }

  readonly port: WorkerPort = {
    status: async (address) => this.#status(this.#at(address)),
    drain: async (address) => {
      const worker = this.#at(address);
      if (worker.state !== "draining") this.#drain(worker);
      return this.#status(worker);
    },
    undrain: async (address) => {
      const worker = this.#at(address);
      worker.state = "serving";
      worker.polls = [];
      return this.#status(worker);
    },
  };

  #at(address: string): Worker {
    const worker = [...this.#workers.values()].find((one) => one.address === address);
    if (!worker || worker.silent) throw new CallFailed(`${address}: no answer in time`, null);
    return worker;
  }

  #drain(worker: Worker): void {
    const out = worker.state === "serving" ? worker.slots - worker.tasks.length : 0;
    worker.state = "draining";
    worker.polls = Array.from({ length: out }, () => this.#clock.now() + this.#random.between(0, LONG_POLL_MS));
  }

  #permits({ state, slots, polls, tasks }: Worker): number {
    if (state === "starting") return 0;
    return state === "serving" ? slots : polls.length + tasks.length;
  }

  #status(worker: Worker): WorkerStatus {
    const { state, slots, tasks } = worker;
    const audioSecondsPerSecond = this.done > 0 ? SECONDS_A_CHUNK / 4 : null;
    return { state, permits: this.#permits(worker), busy: tasks.length, slots, audioSecondsPerSecond };
  }

  #take(worker: Worker): boolean {
    const waiting = [...this.waiting].filter(([, chunks]) => chunks > 0);
    if (waiting.length === 0) return false;
    const [organization, chunks] = this.#random.pick(waiting);
    this.waiting.set(organization, chunks - 1);
    worker.tasks.push({ organization, doneAt: this.#clock.now() + this.#random.between(500, 8_000) });
    return true;
  }
}
