import test from "ava";
import { createOperatorMetrics } from "../../operator/metrics.ts";
import type { Plan } from "../../operator/plan.ts";
import { parseWorkerPool } from "../../operator/workerpool/types.ts";
import { Registry } from "../../process/metrics.ts";

const AT = "2026-01-01T00:00:00Z";
const pool = parseWorkerPool({
  apiVersion: "escriba.dev/v1alpha1",
  kind: "WorkerPool",
  metadata: { name: "speech", namespace: "n", uid: "u", resourceVersion: "1", generation: 1 },
  spec: {
    queues: ["speech"],
    scaling: { mode: "Manual", maxReplicas: 7 },
    template: { spec: { containers: [{ name: "worker" }] } },
  },
});

function plan(changed: boolean): Plan {
  const { status } = pool;
  const ready = { type: "Ready", status: "True", reason: "PodsReady", message: "", lastTransitionTime: AT } as const;
  return {
    actions: [],
    statusChanged: true,
    status: {
      ...status,
      replicas: 3,
      readyReplicas: 2,
      desiredReplicas: 4,
      conditions: [ready],
      demand: { organizations: 1, outstandingChunks: 9, outstandingSeconds: 270, waitingSince: AT },
    },
    events: [],
    decision: {
      reason: "Backlog",
      message: "",
      current: 3,
      desired: 4,
      changed,
      counts: {} as Plan["decision"]["counts"],
      inputs: {
        demandAgeSeconds: 1.5,
        outstandingChunks: 9,
        outstandingSeconds: 270,
        slots: 9,
        seconds: 270,
        speed: 12,
        bySlots: 9,
        bySeconds: 1,
        wanted: 4,
      },
    },
  };
}

test("a decision is told in numbers, and a pool that is gone is told of no more", async (t) => {
  const registry = new Registry();
  const metrics = createOperatorMetrics(registry);
  metrics.decided(pool, plan(true), Date.parse(AT) + 30_000);
  metrics.decided(pool, plan(false), Date.parse(AT) + 32_000);
  const of = async (name: string) =>
    (await registry.getSingleMetricAsString(`escriba_operator_${name}`)).split("\n").slice(2);
  const labels = 'pool_namespace="n",pool="speech"';
  t.deepEqual(await of("decisions_total"), [`escriba_operator_decisions_total{${labels},reason="Backlog"} 1`]);
  t.deepEqual(await of("decision_timestamp_seconds"), [
    `escriba_operator_decision_timestamp_seconds{${labels}} ${Date.parse(AT) / 1000 + 32}`,
  ]);
  t.deepEqual(await of("waiting_seconds"), [`escriba_operator_waiting_seconds{${labels}} 32`]);
  t.deepEqual(await of("condition"), [`escriba_operator_condition{${labels},condition="Ready"} 1`]);
  const pods = await of("pods");
  for (const line of ['state="desired"} 4', 'state="current"} 3', 'state="ready"} 2', 'state="max"} 7']) {
    t.true(
      pods.some((one) => one.endsWith(line)),
      line,
    );
  }
  metrics.forget(pool.metadata);
  for (const name of ["pods", "condition", "demand_known", "outstanding_chunks", "speed"])
    t.deepEqual(await of(name), []);
});

test("counts of what is rare begin with nothing", async (t) => {
  const registry = new Registry();
  const metrics = createOperatorMetrics(registry);
  const text = () => registry.getSingleMetricAsString("escriba_operator_lease_transitions_total");
  t.regex(await text(), /event="lost"} 0/);
  metrics.lease("acquired");
  t.regex(await text(), /event="acquired"} 1/);
  t.regex(await registry.getSingleMetricAsString("escriba_operator_leader"), /leader 1/);
});
