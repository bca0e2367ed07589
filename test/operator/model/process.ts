import type { Random } from "../../../eval/random.ts";
import type { Clock } from "../../../operator/clock.ts";
import { ApiError, type KubernetesApi, NoAnswer } from "../../../operator/kubernetes/api.ts";
import type { AskDemand } from "../../../operator/observe/demand.ts";
import { Operator, type OperatorParts } from "../../../operator/operator.ts";
import type { WorkerPort } from "../../../operator/worker/port.ts";
import type { VirtualClock } from "./clock.ts";
import type { MemoryApi } from "./memory-api.ts";

/** What the API server, or the way to it, does to calls; each is a probability for one call. */
export interface ApiFaults {
  conflict: number;
  tooMany: number;
  broken: number;
  /** No answer: of a write nobody knows whether it was done, and half of them were. */
  silent: number;
  /** Takes up to four seconds. */
  slow: number;
  /** A list of a while ago. */
  stale: number;
  /** A watch that ends, is too old, tells nothing, or tells everything late. */
  watch: number;
}

export const NO_FAULTS: ApiFaults = { conflict: 0, tooMany: 0, broken: 0, silent: 0, slow: 0, stale: 0, watch: 0 };

type Verb = keyof KubernetesApi;
const WRITES: Verb[] = ["create", "replace", "replaceStatus", "replaceScale", "patch", "delete"];
const never = () => new Promise<never>(() => undefined);

export interface ProcessParts {
  memory: MemoryApi;
  clock: VirtualClock;
  random: Random;
  worker: WorkerPort;
  askDemand: AskDemand;
  identity: string;
  faults(): ApiFaults;
  rest: Pick<OperatorParts, "log" | "metrics">;
  /** Lists of a while ago, whoever asked for them. */
  past: Map<string, unknown>;
  /** A write that was done. */
  onWrite(verb: Verb, plural: string): void;
  /** A write that was begun by a process that does not hold the lease. */
  onUsurpation(what: string): void;
}

/**
 * One operator process: everything that it does to the world goes through here, so that it can be stopped in the
 * middle of any call, for a while or for good, before or after the call takes effect.
 */
export class OperatorProcess {
  readonly #parts: ProcessParts;
  readonly #stopping = new AbortController();
  #calls = 0;
  #crashAt = Number.POSITIVE_INFINITY;
  #before: boolean | undefined;
  #pauseAt = Number.POSITIVE_INFINITY;
  #paused: PromiseWithResolvers<void> | undefined;
  readonly operator: Operator;
  /** It has ended, by its own wish or by a crash. */
  over = false;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    const { random, identity, rest } = parts;
    this.operator = new Operator({
      ...rest,
      api: this.#api(),
      clock: this.#clock(),
      random: () => random.next(),
      worker: {
        status: (address, token) => this.#through(() => parts.worker.status(address, token)),
        drain: (address, token) => this.#ofLeader("drain", () => parts.worker.drain(address, token)),
        undrain: (address, token) => this.#ofLeader("undrain", () => parts.worker.undrain(address, token)),
      },
      askDemand: (url, token) => this.#through(() => parts.askDemand(url, token)),
      namespaces: [],
      lease: { namespace: "escriba", name: "escriba-operator", identity },
    });
    this.operator.run(this.#stopping.signal).then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  /** SIGTERM. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Calls begun so far: to the API server, to workers, for demand. */
  get calls(): number {
    return this.#calls;
  }

  /** SIGKILL in its nth call from now, whichever that is; `before` or after it took effect, by chance if not said. */
  crashIn(calls: number, before?: boolean): void {
    this.#crashAt = this.#calls + calls;
    this.#before = before;
  }

  /** Stopped in its nth call from now, until `resume`. */
  pauseIn(calls: number): void {
    this.#pauseAt = this.#calls + calls;
  }

  resume(): void {
    this.#pauseAt = Number.POSITIVE_INFINITY;
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  #end(): void {
    this.over = true;
  }

  /** Nothing of a process happens while it is stopped or after its end. */
  async #gate(): Promise<void> {
    if (this.#crashed) await never();
    await this.#paused?.promise;
    if (this.#crashed) await never();
  }

  get #crashed(): boolean {
    return this.#calls >= this.#crashAt;
  }

  #ofLeader<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (!this.operator.leads) this.#parts.onUsurpation(what);
    return this.#through(call);
  }

  async #through<T>(call: () => Promise<T>): Promise<T> {
    await this.#gate();
    this.#calls += 1;
    const { random } = this.#parts;
    const early = this.#crashed && this.#before !== undefined ? this.#before : random.chance(0.5);
    if (this.#calls >= this.#pauseAt && !this.#paused) this.#paused = Promise.withResolvers();
    if (this.#crashed) this.#end();
    if (early) await this.#gate();
    try {
      return await call();
    } finally {
      await this.#gate();
    }
  }

  #clock(): Clock {
    const { clock } = this.#parts;
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: async (milliseconds, signal) => {
        await clock.sleep(milliseconds, signal);
        await this.#gate();
      },
    };
  }

  #api(): KubernetesApi {
    const { memory } = this.#parts;
    return new Proxy<KubernetesApi>(memory, {
      get: (_, verb: Verb) => {
        if (verb === "watch") return this.#watch.bind(this);
        return (...given: unknown[]) => {
          const call = () => this.#call(verb, given);
          const ofLeader = WRITES.includes(verb) && (given[0] as { plural: string }).plural !== "leases";
          return ofLeader ? this.#ofLeader(verb, call) : this.#through(call);
        };
      },
    });
  }

  async #call(verb: Verb, given: unknown[]): Promise<unknown> {
    const { memory, clock, random, faults, onWrite, past: lists } = this.#parts;
    const odds = faults();
    const [{ plural }, second, third] = given as [{ plural: string }, unknown, { dryRun?: boolean } | undefined];
    const writes = WRITES.includes(verb) && !(verb === "create" && third?.dryRun);
    const run = async () => {
      const answer = await (memory[verb] as (...given: unknown[]) => Promise<unknown>).apply(memory, given);
      if (writes) onWrite(verb, plural);
      return answer;
    };
    if (random.chance(odds.slow)) await clock.sleep(random.between(100, 4_000));
    if (random.chance(odds.tooMany)) throw new ApiError(429, "TooManyRequests", "please wait", 1);
    if (random.chance(odds.broken)) throw new ApiError(500, "InternalError", "etcdserver: request timed out");
    if (writes && random.chance(odds.conflict)) throw new ApiError(409, "Conflict", "the object has been modified");
    if (random.chance(odds.silent)) {
      if (random.chance(0.5)) await run().catch(() => undefined);
      await clock.sleep(5_000);
      throw new NoAnswer(`${verb} ${plural}: no answer in time`);
    }
    if (verb !== "list") return run();
    const key = JSON.stringify([plural, second]);
    const past = lists.get(key);
    if (past && random.chance(odds.stale)) return past;
    const list = await run();
    lists.set(key, list);
    return list;
  }

  async *#watch(...given: Parameters<KubernetesApi["watch"]>): AsyncGenerator<unknown> {
    const { memory, clock, random, faults } = this.#parts;
    await this.#gate();
    const [, , signal] = given;
    const fault = random.chance(faults().watch) ? random.pick(["old", "silent", "late", "ends"] as const) : null;
    if (fault === "old") throw new ApiError(410, "Expired", "too old resource version");
    if (fault === "silent") await clock.sleep(60_000, signal);
    let left = random.below(4);
    for await (const event of memory.watch(...given)) {
      if (fault === "ends" && left-- === 0) throw new NoAnswer("watch: the connection broke");
      if (fault === "late") await clock.sleep(random.between(500, 8_000), signal);
      await this.#gate();
      yield event;
    }
  }
}
