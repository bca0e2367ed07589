import type { ControlPlane } from "./control-plane.ts";
import { DEFINITION } from "./definition.ts";
import { type PlaneWithPools, startPlaneWithPools } from "./plane-with-pools.ts";
import { type PoolManifest, poolManifest, workerTemplate } from "./pool.ts";
import { clusterTest } from "./tier.ts";

const test = clusterTest();

let opened: PlaneWithPools;
let plane: ControlPlane;
test.before(async () => {
  opened = await startPlaneWithPools();
  plane = opened.plane;
});
test.after.always(() => opened?.stop());

const apply = (pool: PoolManifest, ...flags: string[]) =>
  plane.kubectl(["apply", "-f", "-", ...flags], JSON.stringify(pool));
const read = async (name: string) => JSON.parse(await plane.kubectl(["get", "wp", name, "-o", "json"]));
const refusal = (pool: PoolManifest) => {
  const said = apply(pool, "--dry-run=server");
  return said.then(
    (text) => `taken: ${text}`,
    (error: Error) => error.message,
  );
};

test("the definition is structural, its rules are within the API server's cost budget, and applying it again changes nothing", async (t) => {
  const crd = JSON.parse(await plane.kubectl(["get", "crd", "workerpools.escriba.dev", "-o", "json"]));
  const condition = (type: string) => crd.status.conditions.find((one: { type: string }) => one.type === type)?.status;
  t.is(condition("Established"), "True");
  t.is(condition("NonStructuralSchema"), undefined);
  await plane.kubectl(["apply", "--server-side", "-f", DEFINITION]);
  const again = JSON.parse(await plane.kubectl(["get", "crd", "workerpools.escriba.dev", "-o", "json"]));
  t.is(again.metadata.generation, crd.metadata.generation);
});

test("what is not said has its default", async (t) => {
  await apply(poolManifest("defaults", "default"));
  const { spec } = await read("defaults");
  t.like(spec, {
    paused: false,
    replicas: 0,
    assumedSpeed: 10,
    scaling: {
      mode: "Auto",
      minReplicas: 0,
      maxReplicas: 4,
      slotsPerPod: 1,
      targetWaitSeconds: 30,
      organizationSlots: 32,
      scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: "Max" },
      scaleDown: {
        stabilizationWindowSeconds: 120,
        policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
      },
    },
    rollout: { maxSurge: 1, maxUnavailable: 0, whenUnschedulable: "DrainOneIdle" },
    drain: { port: "metrics", timeoutSeconds: 900 },
    demand: { maxAgeSeconds: 30, tokenSecret: { name: "tokens", key: "token" } },
  });
});

test("the pod template keeps every field, also one that no version knows", async (t) => {
  const template = workerTemplate();
  Object.assign(template.spec, { schedulingGates: [{ name: "kueue" }], fieldOfTheFuture: { deep: [1] } });
  await apply(poolManifest("template", "default", { template }));
  t.deepEqual((await read("template")).spec.template, template);
});

const auto = (scaling: object) => ({ scaling });
const bad: [what: string, changes: Record<string, unknown>, message: RegExp][] = [
  ["min over max", auto({ minReplicas: 5, maxReplicas: 2 }), /minReplicas must not be more than maxReplicas/],
  ["no demand in Auto", { demand: undefined }, /mode Auto needs demand: the operator scales by it/],
  ["a rollout that cannot move", { rollout: { maxSurge: 0, maxUnavailable: 0 } }, /must not both be 0: no pod could/],
  [
    "another mode",
    auto({ mode: "Sometimes" }),
    /spec.scaling.mode: Unsupported value: "Sometimes": .*"Auto", "Manual"/,
  ],
  ["no queues", { queues: [] }, /spec.queues: Invalid value: 0: spec.queues in body should have at least 1 items/],
  ["a queue twice", { queues: ["speech", "speech"] }, /spec.queues\[1\]: Duplicate value: "speech"/],
  ["a queue's bad name", { queues: ["Speech!"] }, /spec.queues\[0\]: Invalid value: "Speech!"/],
  ["too many queues", { queues: Array.from({ length: 17 }, (_, at) => `q${at}`) }, /must have at most 16 items/],
  ["no template", { template: undefined }, /spec.template: Required value/],
  ["a negative count", { replicas: -1 }, /spec.replicas in body should be greater than or equal to 0/],
  ["maxReplicas 0", auto({ maxReplicas: 0 }), /maxReplicas in body should be greater than or equal to 1/],
  ["no slots", auto({ slotsPerPod: 0 }), /slotsPerPod in body should be greater than or equal to 1/],
  ["an address that is none", { demand: { url: "ftp://x", tokenSecret: { name: "a" } } }, /spec.demand.url: Invalid/],
  ["a demand without a token", { demand: { url: "http://x" } }, /spec.demand.tokenSecret: Required value/],
  ["an age too short", { demand: { url: "http://x", tokenSecret: { name: "a" }, maxAgeSeconds: 1 } }, /maxAgeSeconds/],
  ["a speed of 0", { assumedSpeed: 0 }, /spec.assumedSpeed in body should be greater than 0/],
  [
    "a policy without a period",
    auto({ scaleUp: { policies: [{ type: "Pods", value: 1 }] } }),
    /spec.scaling.scaleUp.policies\[0\].periodSeconds: Required value/,
  ],
  ["another policy", auto({ scaleDown: { selectPolicy: "Some" } }), /selectPolicy: Unsupported value: "Some"/],
  ["a drain without time", { drain: { timeoutSeconds: 0 } }, /spec.drain.timeoutSeconds in body should be greater/],
  ["what to do when unschedulable", { rollout: { whenUnschedulable: "Cry" } }, /whenUnschedulable: Unsupported value/],
];

for (const [what, changes, message] of bad)
  test(`refused, with a message that says why: ${what}`, async (t) => {
    t.regex(await refusal(poolManifest("bad", "default", changes)), message);
  });

test("a name that leaves no room for its pods' names is refused", async (t) => {
  t.regex(await refusal(poolManifest("a".repeat(47), "default")), /at most 46 characters/);
  t.regex(await refusal(poolManifest("a".repeat(46), "default")), /^taken/);
});

test("Manual needs no demand, and a field that does not exist is refused by kubectl", async (t) => {
  t.regex(await refusal(poolManifest("m", "default", { ...auto({ mode: "Manual" }), demand: undefined })), /^taken/);
  t.regex(await refusal(poolManifest("m", "default", { scalling: {} })), /unknown field "spec.scalling"/);
});

test("kubectl get wp shows what the pool does and why", async (t) => {
  await apply(poolManifest("columns", "default"));
  const waitingSince = new Date(Date.now() - 90_000).toISOString();
  const decision = { reason: "Backlog", message: "12 chunks want 3 pods", desired: 3, at: waitingSince };
  const demand = { organizations: 1, outstandingChunks: 12, outstandingSeconds: 360, waitingSince };
  const status = { desiredReplicas: 3, replicas: 2, readyReplicas: 1, busyReplicas: 1, decision, demand };
  const patch = ["patch", "wp", "columns", "--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
  await plane.kubectl(patch);
  const [head = "", row = ""] = (await plane.kubectl(["get", "wp", "columns"])).trimEnd().split("\n");
  t.deepEqual(head.split(/\s+/), ["NAME", "MODE", "DESIRED", "READY", "BUSY", "QUEUE", "WAITING", "REASON", "AGE"]);
  t.regex(row, /^columns\s+Auto\s+3\s+1\s+1\s+12\s+9\ds\s+Backlog\s+\d+s$/);
  t.regex(await plane.kubectl(["get", "wp", "columns", "-o", "wide"]), /WHY.*12 chunks want 3 pods/s);
});

test("kubectl scale writes spec.replicas and nothing else; the scale subresource answers the status's", async (t) => {
  await apply(poolManifest("scaled", "default", auto({ mode: "Manual", maxReplicas: 10 })));
  const before = await read("scaled");
  await plane.kubectl(["scale", "wp/scaled", "--replicas=7"]);
  const after = await read("scaled");
  t.deepEqual(after.spec, { ...before.spec, replicas: 7 });
  const status = { replicas: 2, selector: "escriba.dev/pool=scaled" };
  await plane.kubectl([
    "patch",
    "wp",
    "scaled",
    "--subresource=status",
    "--type=merge",
    "-p",
    JSON.stringify({ status }),
  ]);
  const path = "/apis/escriba.dev/v1alpha1/namespaces/default/workerpools/scaled/scale";
  const scale = JSON.parse(await plane.kubectl(["get", "--raw", path]));
  t.deepEqual([scale.spec, scale.status], [{ replicas: 7 }, status]);
});

test("who may write the pool does not write its status with it", async (t) => {
  await apply(poolManifest("status", "default"));
  const patch = JSON.stringify({ status: { replicas: 99 } });
  await plane.kubectl(["patch", "wp", "status", "--type=merge", "-p", patch]);
  t.is((await read("status")).status, undefined);
});
