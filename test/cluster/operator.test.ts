import type { Decision } from "../../operator/plan.ts";
import type { WorkerPool } from "../../operator/workerpool/types.ts";
import { FATE } from "./fake-nodes.ts";
import type { OperatorProcess } from "./operator-process.ts";
import { workerTemplate } from "./pool.ts";
import { eventually, NAMESPACE, Stage } from "./stage.ts";
import { clusterTest } from "./tier.ts";

/** The operator as it is shipped, under its own service account, on a real control plane with pretended nodes. */
const test = clusterTest();

let stage: Stage;
let operator: OperatorProcess;
test.before(async () => {
  stage = await Stage.open();
  operator = await stage.operator();
});
test.after.always(() => stage?.stop());

const status = (name: string, what: string, holds: (pool: WorkerPool) => boolean) =>
  eventually(`${name}: ${what}`, () => stage.pool(name), holds);
const ready = (name: string, count: number) =>
  status(name, `${count} ready`, ({ status }) => status.readyReplicas === count && status.replicas === count);
const condition = (pool: WorkerPool, type: string) => pool.status.conditions.find((one) => one.type === type);
const names = async (pool: string) => (await stage.pods(pool)).map(({ metadata }) => metadata.name).toSorted();

test.serial("a backlog becomes pods, within the maximum, and the pool says why", async (t) => {
  stage.demand.backlog("up", 50);
  await stage.apply(stage.manifest("up", { scaling: { maxReplicas: 6 } }));
  const pool = await ready("up", 6);
  t.is(pool.spec.replicas, 6);
  t.is(pool.status.decision?.reason, "AtMax");
  t.like(condition(pool, "AtMax"), { status: "True" });
  t.like(condition(pool, "DemandKnown"), { status: "True" });
  t.like(condition(pool, "TemplateAccepted"), { status: "True" });
  const hash = pool.status.templateHash;
  t.deepEqual(
    await names("up"),
    [0, 1, 2, 3, 4, 5].map((index) => `up-${hash}-${index}`),
  );
  // A pod counts as busy until its worker has said that it is not.
  await status("up", "nobody busy", ({ status }) => status.busyReplicas === 0);
  const shown = await stage.plane.kubectl(["get", "wp", "up", "-n", NAMESPACE, "--no-headers"]);
  t.regex(shown, /^up\s+Auto\s+6\s+6\s+0\s+50\s+\S+\s+AtMax/);
});

test.serial("when the work is done they go, idle ones first and drained before they are deleted", async (t) => {
  const workers = stage.workers.of("up");
  const [first, second] = workers;
  t.true(first?.take());
  t.true(second?.take());
  stage.demand.backlog("up", 0);
  await status("up", "two busy left", ({ status }) => status.replicas === 2);
  t.deepEqual(await names("up"), [first?.pod, second?.pod]);
  for (const { pod } of workers.slice(2)) t.true(stage.workers.drained.has(pod));
  for (const worker of [first, second]) if (worker) worker.busy = 0;
  await status("up", "none left", ({ status }) => status.replicas === 0);
  t.deepEqual(stage.workers.lost, []);
  t.is((await stage.pool("up")).status.decision?.reason, "Idle");
});

test.serial("a pod that is being drained and is needed after all goes on working", async (t) => {
  stage.demand.backlog("again", 2);
  await stage.apply(stage.manifest("again", { scaling: { maxReplicas: 2 } }));
  await ready("again", 2);
  const before = await names("again");
  const workers = stage.workers.of("again");
  for (const worker of workers) worker.polls = 1;
  stage.demand.backlog("again", 0);
  await status("again", "draining", ({ status }) => status.drainingReplicas === 2);
  await decidesAgain("again");
  t.deepEqual(await names("again"), before);
  stage.demand.backlog("again", 2);
  await status("again", "both wanted", ({ status }) => status.drainingReplicas === 0 && status.readyReplicas === 2);
  t.true(workers.every(({ draining }) => !draining));
  t.deepEqual(await names("again"), before);
  for (const worker of workers) worker.polls = 0;
});

test.serial("a pod that does not answer counts as busy and stays, whatever the demand", async (t) => {
  stage.demand.backlog("mute", 1);
  await stage.apply(stage.manifest("mute", { scaling: { maxReplicas: 1 } }));
  await ready("mute", 1);
  const [worker] = stage.workers.of("mute");
  if (worker) worker.unreachable = true;
  stage.demand.backlog("mute", 0);
  await status("mute", "busy", ({ status }) => status.busyReplicas === 1);
  await decidesAgain("mute");
  t.is((await stage.pods("mute")).length, 1);
  if (worker) worker.unreachable = false;
  await status("mute", "gone", ({ status }) => status.replicas === 0);
  t.deepEqual(stage.workers.lost, []);
});

test.serial(
  "a new template is rolled out one surge at a time, and busy pods of the old one finish first",
  async (t) => {
    stage.demand.backlog("roll", 3);
    const of = (image: string) =>
      stage.manifest("roll", { scaling: { minReplicas: 3, maxReplicas: 3 }, template: workerTemplate({ image }) });
    await stage.apply(of("worker:1"));
    await ready("roll", 3);
    const [busy] = stage.workers.of("roll");
    t.true(busy?.take());
    // One that the operator takes for idle may be drained first, and then the rollout waits for it.
    await status("roll", "the busy one seen", ({ status }) => status.busyReplicas === 1);
    await stage.apply(of("worker:2"));
    await status("roll", "all but the busy one", ({ status }) => status.updatedReplicas === 3 && status.replicas === 4);
    t.true((await names("roll")).includes(busy?.pod ?? ""));
    if (busy) busy.busy = 0;
    const pool = await status("roll", "done", ({ status }) => status.updatedReplicas === 3 && status.replicas === 3);
    for (const name of await names("roll")) t.true(name.startsWith(`roll-${pool.status.templateHash}-`));
    t.deepEqual(stage.workers.lost, []);
  },
);

test.serial("a template that cannot start stops the rollout, and the old pods stay", async (t) => {
  const before = await names("roll");
  const annotations = { [FATE]: "ImagePullBackOff" };
  const template = workerTemplate({ image: "worker:none", annotations });
  const scaling = { minReplicas: 3, maxReplicas: 3 };
  await stage.apply(stage.manifest("roll", { scaling, template }));
  const pool = await status("roll", "backs off", ({ status }) => status.backoff.length > 0);
  t.like(condition(pool, "Progressing"), { status: "False" });
  t.is((await names("roll")).filter((name) => before.includes(name)).length, 3);
  await stage.apply(stage.manifest("roll", { scaling, template: workerTemplate({ image: "worker:2" }) }));
  await status("roll", "well again", ({ status }) => status.updatedReplicas === 3 && status.replicas === 3);
  t.deepEqual(await names("roll"), before);
});

test.serial("Manual only obeys kubectl scale", async (t) => {
  stage.demand.backlog("manual", 40);
  await stage.apply(stage.manifest("manual", { scaling: { mode: "Manual", maxReplicas: 5 } }));
  await status("manual", "seen", ({ status }) => status.decision?.reason === "Manual");
  t.deepEqual(await names("manual"), []);
  await stage.plane.kubectl(["scale", "wp/manual", "-n", NAMESPACE, "--replicas=2"]);
  t.is((await ready("manual", 2)).spec.replicas, 2);
  await stage.plane.kubectl(["scale", "wp/manual", "-n", NAMESPACE, "--replicas=0"]);
  await status("manual", "none", ({ status }) => status.replicas === 0);
});

test.serial("a demand that is wrong, old, late or not there takes no pod away, and is said", async (t) => {
  stage.demand.backlog("unknown", 2);
  await stage.apply(
    stage.manifest("unknown", {
      scaling: { maxReplicas: 2 },
      demand: { url: stage.demand.url, tokenSecret: { name: "tokens", key: "demand" }, maxAgeSeconds: 5 },
    }),
  );
  await ready("unknown", 2);
  const known = (answer: string) =>
    status("unknown", answer, (seen) => condition(seen, "DemandKnown")?.status === answer);
  for (const fault of ["down", "late", "wrong", "stale", "error", "unversioned"] as const) {
    stage.demand.fault = fault;
    stage.demand.backlog("unknown", 0);
    const pool = await known("False");
    t.is(pool.status.decision?.reason, "DemandUnknown", fault);
    t.is((await stage.pods("unknown")).length, 2, fault);
    stage.demand.backlog("unknown", 2);
    stage.demand.fault = null;
    await known("True");
  }
  stage.demand.backlog("unknown", 0);
  await status("unknown", "idle", ({ status }) => status.replicas === 0);
});

test.serial("a quota that leaves no room is said, waited for, and obeyed", async (t) => {
  await stage.plane.kubectl(["create", "quota", "few", "-n", NAMESPACE, "--hard=pods=0"]);
  stage.demand.backlog("quota", 2);
  await stage.apply(stage.manifest("quota", { scaling: { maxReplicas: 2 } }));
  const pool = await status("quota", "backs off", ({ status }) => status.backoff.length > 0);
  t.like(pool.status.backoff[0], { reason: "Quota" });
  t.regex(pool.status.backoff[0]?.message ?? "", /exceeded quota: few/);
  await stage.plane.kubectl(["delete", "quota", "few", "-n", NAMESPACE]);
  await ready("quota", 2);
  await status("quota", "no back-off", ({ status }) => status.backoff.length === 0);
});

test.serial("pods that find no node are said, and are the first to go", async (t) => {
  stage.demand.backlog("big", 2);
  await stage.apply(
    stage.manifest("big", {
      scaling: { maxReplicas: 2 },
      rollout: { unschedulableSeconds: 1 },
      template: workerTemplate({ cpu: "1000" }),
    }),
  );
  const pool = await status("big", "unschedulable", (seen) => condition(seen, "Unschedulable")?.status === "True");
  t.is(pool.status.readyReplicas, 0);
  t.true((pool.status.pendingReplicas ?? 0) > 0);
  stage.demand.backlog("big", 0);
  await status("big", "gone", ({ status }) => status.replicas === 0);
  t.deepEqual(await names("big"), []);
});

test.serial("a template that the API server refuses is said in its words, and nothing is made", async (t) => {
  stage.demand.backlog("refused", 1);
  const template = { spec: { containers: [{ name: "worker", image: "worker:1", ports: [{ containerPort: 0 }] }] } };
  await stage.apply(stage.manifest("refused", { template }));
  const pool = await status("refused", "said", (seen) => condition(seen, "TemplateAccepted")?.status === "False");
  t.regex(condition(pool, "TemplateAccepted")?.message ?? "", /spec.containers\[0\].ports\[0\].containerPort/);
  t.deepEqual(await names("refused"), []);
});

test.serial("an evicted pod is replaced", async (t) => {
  stage.demand.backlog("evicted", 2);
  await stage.apply(stage.manifest("evicted", { scaling: { minReplicas: 2, maxReplicas: 2 } }));
  await ready("evicted", 2);
  const [victim = ""] = await names("evicted");
  const patch = JSON.stringify({ status: { phase: "Failed", reason: "Evicted" } });
  await stage.plane.kubectl([
    "patch",
    "pod",
    victim,
    "-n",
    NAMESPACE,
    "--subresource=status",
    "--type=merge",
    "-p",
    patch,
  ]);
  await eventually(
    "a replacement",
    () => stage.pods("evicted"),
    (pods) => pods.length === 2 && pods.every(({ status }) => status?.phase === "Running"),
  );
  t.is((await ready("evicted", 2)).status.replicas, 2);
});

test.serial("deleting a pool takes its pods with it", async (t) => {
  await stage.plane.kubectl(["delete", "wp", "evicted", "-n", NAMESPACE]);
  await eventually(
    "no pods",
    () => stage.pods("evicted"),
    (pods) => pods.length === 0,
  );
  t.true(operator.running);
});

test.serial("every decision is a log line, the last ones are served, and metrics say the same", async (t) => {
  const logged = () => operator.lines.filter(({ kind }) => kind === "decision");
  const served = async () =>
    ((await (await fetch(`${operator.url}/decisions`)).json()) as { decisions: unknown[] }).decisions;
  const decisions = await eventually("the log's decisions", served, (found) => found.length === logged().length);
  t.true(decisions.length > 10);
  const [first] = decisions as { plan: { decision: Decision } }[];
  t.truthy(first?.plan.decision.inputs);
  const metrics = await (await fetch(`${operator.url}/metrics`)).text();
  t.regex(metrics, /escriba_operator_leader\{[^}]*\} 1/);
  t.regex(metrics, /escriba_operator_pods\{[^}]*pool="roll"[^}]*state="ready"[^}]*\} 3/);
  t.is((await fetch(`${operator.url}/readyz`)).status, 200);
});

/** Resolves after another round of decisions, changed or not. */
async function decidesAgain(pool: string): Promise<void> {
  const rounds = async () => {
    const metrics = await (await fetch(`${operator.url}/metrics`)).text();
    const found = new RegExp(`^escriba_operator_reconcile_seconds_count\\{[^}]*pool="${pool}"[^}]*\\} (\\d+)`, "m");
    return Number(found.exec(metrics)?.[1] ?? 0);
  };
  const before = await rounds();
  await eventually("another decision", rounds, (count) => count >= before + 2);
}
