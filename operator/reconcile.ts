import type { Logger } from "../process/log.ts";
import { act } from "./act/act.ts";
import type { EventRecorder } from "./act/events.ts";
import type { TemplateChecks } from "./act/template-checks.ts";
import { type Clock, inTime } from "./clock.ts";
import { decide } from "./decide/decide.ts";
import type { Decisions } from "./decisions.ts";
import type { KubernetesApi } from "./kubernetes/api.ts";
import type { Pod, WorkerPoolObject } from "./kubernetes/objects.ts";
import type { OperatorMetrics } from "./metrics.ts";
import type { CreateFailure, Observation } from "./observation.ts";
import type { DemandAnswers } from "./observe/demand.ts";
import type { ObjectCaches } from "./observe/object-caches.ts";
import { isOwnedBy, observePod } from "./observe/pod.ts";
import type { PoolQuestions } from "./observe/pool-questions.ts";
import { type ReadPool, readPool } from "./observe/read-pool.ts";
import type { Tokens } from "./observe/tokens.ts";
import type { WorkerAnswers } from "./observe/worker-answers.ts";
import { decisionLine } from "./replay/line.ts";
import type { WorkerPort } from "./worker/port.ts";
import type { WorkerPool } from "./workerpool/types.ts";

export interface ReconcileParts {
  api: KubernetesApi;
  clock: Clock;
  log: Logger;
  metrics: OperatorMetrics;
  decisions: Decisions;
  lease: { check(): void };
  pods: ObjectCaches<Pod>;
  pools: ObjectCaches<WorkerPoolObject>;
  demand: DemandAnswers;
  answers: WorkerAnswers;
  worker: WorkerPort;
  tokens: Tokens;
  questions: PoolQuestions;
  templates: TemplateChecks;
  events: EventRecorder;
  /** This pool wants another look soon. */
  decideAgain(namespace: string, name: string): void;
}

/** A first answer is worth a wait, but no long one. */
const FIRST_ANSWERS_MS = 500;

/** Of creations that failed, while the status cannot be written. */
const MOST_FAILURES = 20;

/** Creations that failed, by pool, kept from one decision to the next. */
export type Failures = Map<string, CreateFailure[]>;

/** Observe, decide, act, and write the status once: one pool, from top to bottom. Throws what `act` throws. */
export async function reconcile(object: WorkerPoolObject, failures: Failures, parts: ReconcileParts): Promise<void> {
  const { clock, log, metrics, decisions, lease, templates } = parts;
  const begun = clock.monotonic();
  const target = readPool(object);
  const { pool, templateHash } = target;
  const { namespace, name, uid } = pool.metadata;
  lease.check();
  const [templateCheck] = await Promise.all([
    templates.check(pool, templateHash),
    inTime(clock, FIRST_ANSWERS_MS, parts.questions.askNew(target)),
  ]);

  const known = failures.get(uid) ?? [];
  failures.delete(uid);
  const observation = observe(target, templateCheck, known, parts);
  const plan = decide(observation);
  if (plan.decision.changed) {
    const line = decisionLine(observation, plan);
    decisions.add(line);
    log.info(line, plan.decision.message);
  }
  const fault = (what: string, error: unknown) => {
    metrics.fault(what);
    log.warn({ pool: `${namespace}/${name}`, err: error }, `${what} failed; the next decision sees what came of it`);
  };
  const remembered = await act(plan, target, {
    ...parts,
    drainToken: () => drainToken(pool, parts.tokens),
    failed: (failure) => failures.set(uid, [...(failures.get(uid) ?? []), failure]),
    drained: (pod) => {
      const since = observation.pool.status.draining.find((one) => one.uid === pod.uid)?.since;
      if (since) metrics.drained(pool.metadata, (clock.now() - Date.parse(since)) / 1000);
    },
    decideAgain: () => parts.decideAgain(namespace, name),
    onFault: fault,
  });
  // The status is the only memory: what did not get into it is told to the next decision again.
  if (!remembered) failures.set(uid, [...known, ...(failures.get(uid) ?? [])].slice(-MOST_FAILURES));
  metrics.decided(pool, plan, clock.now());
  metrics.reconciled(pool.metadata, (clock.monotonic() - begun) / 1000);
}

/** Everything that the decision about this pool looks at, from what is known now. */
function observe(
  { pool, templateHash }: ReadPool,
  templateCheck: Observation["pool"]["templateCheck"],
  failures: CreateFailure[],
  { clock, pods, demand, answers }: ReconcileParts,
): Observation {
  const { namespace, name, uid, generation, resourceVersion, deletionTimestamp } = pool.metadata;
  const { template: _, ...spec } = pool.spec;
  const now = clock.now();
  const own = [...pods].filter((pod) => pod.metadata.namespace === namespace && isOwnedBy(pod, uid));
  const known = spec.demand ? demand.of({ namespace, ...spec.demand }) : { demand: null, error: null };
  return {
    now: new Date(now).toISOString(),
    pool: {
      namespace,
      name,
      uid,
      generation,
      resourceVersion,
      deleted: deletionTimestamp !== undefined,
      spec,
      templateHash,
      templateCheck,
      status: pool.status,
    },
    pods: own
      .map((pod) =>
        observePod(pod, { pool: name, port: spec.drain.port, now, worker: answers.of(pod.metadata.uid as string) }),
      )
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    demand: known.demand,
    demandError: known.error,
    failures,
  };
}

/** Null when the pool's workers ask for none. */
export async function drainToken({ metadata, spec }: WorkerPool, tokens: Tokens): Promise<string | null> {
  const { tokenSecret } = spec.drain;
  return tokenSecret ? tokens.read(metadata.namespace, tokenSecret) : null;
}
