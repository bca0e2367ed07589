import { EventRecorder } from "./act/events.ts";
import { TemplateChecks } from "./act/template-checks.ts";
import { isCode } from "./kubernetes/api.ts";
import type { KubernetesObject, ObjectMeta } from "./kubernetes/objects.ts";
import { PODS, type Resource, WORKER_POOLS } from "./kubernetes/resources.ts";
import { LeaseLost } from "./leader/lease.ts";
import { DemandAnswers } from "./observe/demand.ts";
import { ObjectCaches } from "./observe/object-caches.ts";
import { PoolQuestions } from "./observe/pool-questions.ts";
import { Tokens } from "./observe/tokens.ts";
import { WorkerAnswers } from "./observe/worker-answers.ts";
import type { OperatorParts } from "./operator.ts";
import { type Failures, type ReconcileParts, reconcile } from "./reconcile.ts";
import { Rounds } from "./rounds.ts";
import { POOL_LABEL } from "./workerpool/group.ts";

/** Without a list for so long, what is known is too old to act on. */
const BLIND_MS = 75_000;
/** What a 429 without a wish of its own costs. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** All that a leader has and does: caches, answers and rounds, made anew for each term. */
export class Leading {
  readonly #parts: ReconcileParts & Pick<OperatorParts, "namespaces">;
  readonly #pools;
  readonly #pods;
  readonly #rounds: Rounds;
  readonly #failures: Failures = new Map();
  /** Pools that were decided about, so that those that go are noticed. */
  readonly #known = new Map<string, ObjectMeta>();
  #pausedUntil = 0;

  constructor(parts: OperatorParts, own: Pick<ReconcileParts, "lease" | "decisions">) {
    const { api, clock, random, lease } = parts;
    this.#pools = this.#watched(parts, WORKER_POOLS, undefined, ({ metadata }) => metadata.name);
    this.#pods = this.#watched(parts, PODS, POOL_LABEL, ({ metadata }) => metadata.labels?.[POOL_LABEL] ?? "");
    const tokens = new Tokens(api, clock);
    const answers = new WorkerAnswers(parts.worker, clock);
    const demand = new DemandAnswers(parts.askDemand, tokens, clock);
    const questions = new PoolQuestions({ pools: this.#pools, pods: this.#pods, answers, demand, tokens });
    this.#parts = {
      ...parts,
      ...own,
      questions,
      pods: this.#pods,
      pools: this.#pools,
      demand,
      answers,
      tokens,
      templates: new TemplateChecks(api, clock),
      events: new EventRecorder({ api, clock, random, instance: lease.identity }),
      decideAgain: (namespace, name) => this.#rounds.hear(`${namespace}/${name}`),
    };
    this.#rounds = new Rounds({
      clock,
      refresh: () => questions.ask(),
      pools: () => this.#present(),
      decide: (key) => this.#decide(key),
    });
  }

  /** Milliseconds since the last round began. */
  get age(): number {
    return this.#rounds.age;
  }

  /** Everything was listed, and not too long ago. */
  get inSight(): boolean {
    return [this.#pools, this.#pods].every(({ age }) => age !== undefined && age < BLIND_MS);
  }

  /** Until the signal is aborted; what is under way is finished. Rejects with LeaseLost. */
  async run(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const following = Promise.all([this.#pools.run(over.signal), this.#followPods(over.signal)]);
    try {
      await this.#rounds.run(signal);
    } finally {
      over.abort();
      await following;
    }
  }

  /**
   * After the pools, and not believing a list of pods that is older than theirs: of the pods that an earlier leader made,
   * those of a template that was changed since have other names, and only this list tells of them. Versions are one
   * count for all resources of a store; where pods have a store of their own, this costs half a minute at most.
   */
  async #followPods(signal: AbortSignal): Promise<void> {
    const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([this.#pools.first(), ended]);
    this.#pods.notBefore(this.#pools.version);
    await this.#pods.run(signal);
  }

  #watched<T extends KubernetesObject>(
    { api, clock, random, namespaces, metrics, log }: OperatorParts,
    resource: Resource<T>,
    labels: string | undefined,
    poolOf: (object: T) => string,
  ): ObjectCaches<T> {
    return new ObjectCaches(resource, { labels }, namespaces, {
      api,
      clock,
      random,
      onChange: (object) => this.#rounds.hear(`${object.metadata.namespace}/${poolOf(object as T)}`),
      onFault: (error) => {
        metrics.fault("watch");
        log.warn({ err: error, resource: resource.plural }, "list or watch failed; trying again");
      },
    });
  }

  /** The pools to decide about: none while what is known is too old, or the server wants to be left alone. */
  #present(): string[] {
    if (!this.inSight || this.#parts.clock.monotonic() < this.#pausedUntil) return [];
    const present = new Map([...this.#pools].map((object) => [keyOf(object), object.metadata]));
    for (const [key, { uid, namespace = "", name }] of this.#known) {
      if (present.get(key)?.uid === uid) continue;
      this.#known.delete(key);
      this.#failures.delete(uid as string);
      this.#parts.templates.forget(uid as string);
      this.#parts.metrics.forget({ namespace, name });
    }
    return [...present.keys()];
  }

  async #decide(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const object = this.#pools.get(namespace, name);
    if (!object) return;
    const { clock, metrics, log } = this.#parts;
    this.#known.set(key, object.metadata);
    try {
      await reconcile(object, this.#failures, this.#parts);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      if (isCode(error, 429)) {
        const wished = error.retryAfter === null ? PAUSE_MS : error.retryAfter * 1000;
        this.#pausedUntil = clock.monotonic() + Math.min(wished, LONGEST_PAUSE_MS);
      }
      metrics.fault("reconcile");
      log.error({ err: error, pool: key }, "a pool could not be looked after; trying again");
    }
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
