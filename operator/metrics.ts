import { Counter, Gauge, Histogram, type Registry } from "../process/metrics.ts";
import type { CallCounter } from "./kubernetes/counted.ts";
import type { Plan } from "./plan.ts";
import { conditionMeanings } from "./workerpool/reasons.ts";
import type { WorkerPool } from "./workerpool/types.ts";

const POOL = ["pool_namespace", "pool"] as const;
type PoolLabels = Record<(typeof POOL)[number], string>;

export interface OperatorMetrics {
  calls: CallCounter;
  /** A decision was made and carried out. `now` is milliseconds since 1970. */
  decided(pool: WorkerPool, plan: Plan, now: number): void;
  reconciled(pool: { namespace: string; name: string }, seconds: number): void;
  drained(pool: { namespace: string; name: string }, seconds: number): void;
  fault(kind: string): void;
  lease(event: "acquired" | "lost"): void;
  /** The pool is gone: its series end. */
  forget(pool: { namespace: string; name: string }): void;
  /** This process leads no more: what it said of pools ends. */
  forgetAll(): void;
}

export function createOperatorMetrics(registry: Registry): OperatorMetrics {
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge<Label>({ name: `escriba_operator_${name}`, help, labelNames: [...labelNames], registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name: `escriba_operator_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `escriba_operator_${name}`, help, labelNames: [...POOL], buckets, registers });

  const leader = gauge("leader", "1 while this process holds the lease, else 0.", []);
  const transitions = counter("lease_transitions_total", "Times this process acquired or lost the lease.", ["event"]);
  const calls = counter("api_calls_total", "Calls to the API server; code none: no whole answer came.", [
    "verb",
    "resource",
    "code",
  ]);
  const faults = counter("faults_total", "What went wrong and is tried again, by what was being done.", ["kind"]);
  const decisions = counter("decisions_total", "Decisions whose outcome differs from the one before, by reason.", [
    ...POOL,
    "reason",
  ]);
  const decidedAt = gauge("decision_timestamp_seconds", "Unix time of the last decision, changed or not.", POOL);
  const reconcileSeconds = histogram(
    "reconcile_seconds",
    "From looking at a pool to its status written.",
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  );
  const drainSeconds = histogram(
    "drain_seconds",
    "From asking a worker to take no more work to deleting its pod.",
    [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800],
  );
  const pods = gauge(
    "pods",
    "Pods of a pool: desired, current, ready, busy, draining, pending; and the most allowed.",
    [...POOL, "state"],
  );
  const known = gauge("demand_known", "1 while what waits is known, else 0.", POOL);
  const age = gauge("demand_age_seconds", "Age of what is known to wait.", POOL);
  const chunks = gauge("outstanding_chunks", "Pieces of work that are not done.", POOL);
  const seconds = gauge("outstanding_seconds", "Seconds of audio that are not done.", POOL);
  const waiting = gauge("waiting_seconds", "How long the oldest work has waited; 0 when nothing waits.", POOL);
  const speed = gauge("speed", "Audio-seconds that a slot is reckoned to do in a second.", POOL);
  const condition = gauge("condition", "1 while the pool's condition is True, else 0.", [...POOL, "condition"]);
  leader.set(0);
  // A series that began with its first count would show no increase.
  for (const event of ["acquired", "lost"]) transitions.inc({ event }, 0);

  const simple = [decidedAt, known, age, chunks, seconds, waiting, speed];
  return {
    calls,
    decided(pool, { decision, status }, now) {
      const labels = labelsOf(pool.metadata);
      if (decision.changed) decisions.inc({ ...labels, reason: decision.reason });
      decidedAt.set(labels, now / 1000);
      const states = {
        desired: status.desiredReplicas,
        current: status.replicas,
        ready: status.readyReplicas,
        busy: status.busyReplicas,
        draining: status.drainingReplicas,
        pending: status.pendingReplicas,
        max: pool.spec.scaling.maxReplicas,
      };
      for (const [state, count] of Object.entries(states)) pods.set({ ...labels, state }, count ?? 0);
      const { demandAgeSeconds, outstandingChunks, outstandingSeconds } = decision.inputs;
      const since = status.demand?.waitingSince;
      known.set(labels, status.demand ? 1 : 0);
      if (demandAgeSeconds === null) age.remove(labels);
      else age.set(labels, demandAgeSeconds);
      chunks.set(labels, outstandingChunks);
      seconds.set(labels, outstandingSeconds);
      waiting.set(labels, since ? Math.max(0, (now - Date.parse(since)) / 1000) : 0);
      speed.set(labels, decision.inputs.speed);
      for (const { type, status: value } of status.conditions) {
        condition.set({ ...labels, condition: type }, value === "True" ? 1 : 0);
      }
    },
    reconciled: (pool, took) => reconcileSeconds.observe(labelsOf(pool), took),
    drained: (pool, took) => drainSeconds.observe(labelsOf(pool), took),
    fault: (kind) => faults.inc({ kind }),
    lease(event) {
      transitions.inc({ event });
      leader.set(event === "acquired" ? 1 : 0);
    },
    forget(pool) {
      const labels = labelsOf(pool);
      for (const one of simple) one.remove(labels);
      for (const state of ["desired", "current", "ready", "busy", "draining", "pending", "max"]) {
        pods.remove({ ...labels, state });
      }
      for (const type of CONDITIONS) condition.remove({ ...labels, condition: type });
    },
    forgetAll() {
      for (const one of [...simple, pods, condition]) one.reset();
    },
  };
}

const CONDITIONS = Object.keys(conditionMeanings);

function labelsOf({ namespace, name }: { namespace: string; name: string }): PoolLabels {
  return { pool_namespace: namespace, pool: name };
}
