import test from "ava";
import { Random } from "../../../eval/random.ts";
import { act } from "../../../operator/act/act.ts";
import { EventRecorder } from "../../../operator/act/events.ts";
import { podBody } from "../../../operator/act/pod-body.ts";
import type { PodWrites } from "../../../operator/act/pod-writes.ts";
import { ApiError } from "../../../operator/kubernetes/api.ts";
import type { Pod } from "../../../operator/kubernetes/objects.ts";
import { EVENTS, PODS, WORKER_POOLS } from "../../../operator/kubernetes/resources.ts";
import type { CreateFailure } from "../../../operator/observation.ts";
import { ObjectCaches } from "../../../operator/observe/object-caches.ts";
import { readPool } from "../../../operator/observe/read-pool.ts";
import { WorkerAnswers } from "../../../operator/observe/worker-answers.ts";
import type { Action, Plan } from "../../../operator/plan.ts";
import { VirtualClock } from "../model/clock.ts";
import { MemoryApi } from "../model/memory-api.ts";
import { Work } from "../model/work.ts";

async function setUp() {
  const clock = new VirtualClock();
  const api = new MemoryApi(clock);
  const random = new Random(1);
  const work = new Work(clock, random);
  const spec = {
    queues: ["speech"],
    scaling: { mode: "Manual" },
    template: {
      metadata: { labels: { app: "x", "escriba.dev/pool": "not this one" }, annotations: { a: "b" } },
      spec: { containers: [{ name: "worker", ports: [{ name: "metrics", containerPort: 9464 }] }], novelty: true },
    },
  };
  const object = await api.create(WORKER_POOLS, { metadata: { name: "speech", namespace: "n" }, spec });
  const target = readPool(object);
  const parts = { api, clock, random: () => 0.5, onChange: () => undefined, onFault: () => undefined };
  const [pods, pools] = [new ObjectCaches(PODS, {}, [], parts), new ObjectCaches(WORKER_POOLS, {}, [], parts)];
  const told = { failures: [] as CreateFailure[], faults: [] as string[], again: 0, drained: 0 };
  let held = true;
  const writes: PodWrites = {
    api,
    clock,
    lease: {
      check() {
        if (!held) throw Object.assign(new Error("lost"), { name: "LeaseLost" });
      },
    },
    worker: work.port,
    answers: new WorkerAnswers(work.port, clock),
    pods,
    pools,
    events: new EventRecorder({ api, clock, random: () => random.next(), instance: "me" }),
    drainToken: async () => null,
    failed: (failure) => told.failures.push(failure),
    drained: () => {
      told.drained += 1;
    },
    decideAgain: () => {
      told.again += 1;
    },
    onFault: (what, error) => told.faults.push(`${what}: ${(error as Error).message}`),
  };
  const run = (actions: Action[], changes: Partial<Plan> = {}) =>
    act(
      { actions, status: target.pool.status, statusChanged: false, events: [], ...changes } as unknown as Plan,
      target,
      writes,
    );
  /** A pod whose worker serves. */
  const serving = async (name: string): Promise<Pod> => {
    const made = await api.create(PODS, podBody(target.pool, "h", name));
    const uid = made.metadata.uid as string;
    work.start(uid, "http://10.0.0.1:9464", 2);
    work.serve(uid);
    const state = { running: {} };
    const status = { phase: "Running" as const, podIP: "10.0.0.1", containerStatuses: [{ name: "worker", state }] };
    const pod = api.put(PODS, { ...made, status });
    pods.wrote(pod);
    return pod;
  };
  const lose = () => {
    held = false;
  };
  return { clock, api, work, target, told, run, serving, pods, lose };
}

const create = (pod: string): Action => ({ kind: "create", pod, index: 0, templateHash: "h" });
const remove = ({ metadata }: Pod): Action => ({
  kind: "delete",
  pod: metadata.name,
  uid: metadata.uid as string,
  resourceVersion: metadata.resourceVersion as string,
  reason: "Drained",
});

test("a pod is the template, with what makes it the pool's", async (t) => {
  const { api, run, target, pods } = await setUp();
  await run([create("speech-h-0")]);
  const pod = await api.get(PODS, "n", "speech-h-0");
  t.deepEqual(pod.metadata.labels, { app: "x", "escriba.dev/pool": "speech", "escriba.dev/template-hash": "h" });
  t.like(pod.metadata.annotations, { a: "b", "karpenter.sh/do-not-disrupt": "true" });
  t.like(pod.metadata.ownerReferences?.[0], { kind: "WorkerPool", uid: target.pool.metadata.uid, controller: true });
  t.true(pod.spec.novelty as boolean, "fields that nobody knows here stay");
  t.is(pods.get("n", "speech-h-0"), pod, "seen at once");
});

test("a pod that exists is success when it is the pool's, and a failure when it is a stranger's", async (t) => {
  const { api, run, told } = await setUp();
  await run([create("speech-h-0")]);
  await run([create("speech-h-0")]);
  t.deepEqual(told.failures, []);
  await api.create(PODS, { metadata: { name: "speech-h-1", namespace: "n" }, spec: { containers: [] } });
  await run([create("speech-h-1"), create("speech-h-2")]);
  t.like(told.failures, [{ reason: "NameTaken", templateHash: "h" }]);
  t.truthy(await api.get(PODS, "n", "speech-h-2"), "the next action was tried all the same");
});

test("what was refused is told to the next decision; what the server could not do is only tried again", async (t) => {
  const { api, run, told } = await setUp();
  api.admission = () => {
    throw new ApiError(403, "Forbidden", "exceeded quota: gpus");
  };
  await run([create("speech-h-0")]);
  api.admission = () => {
    throw new ApiError(500, "InternalError", "etcd is away");
  };
  await run([create("speech-h-0")]);
  t.deepEqual([told.failures.map(({ reason }) => reason), told.faults], [["Quota"], ["create: etcd is away"]]);
});

test("a scale that was not written ends the pass: neither pods nor status follow", async (t) => {
  const { api, run, told, target } = await setUp();
  api.put(WORKER_POOLS, { ...target.object, spec: { ...(target.object.spec as object), paused: true } });
  const written = await run([{ kind: "scale", from: 0, to: 3 }, create("speech-h-0")], {
    statusChanged: true,
    status: { ...target.pool.status, desiredReplicas: 3 },
  });
  t.false(written);
  t.is(told.again, 1, "somebody wrote in between: look again soon");
  t.is((await api.list(PODS, {})).items.length, 0);
  t.is((await api.get(WORKER_POOLS, "n", "speech")).status, undefined);
});

test("the status goes onto the version that the scale made", async (t) => {
  const { api, run, told, target } = await setUp();
  const status = { ...target.pool.status, desiredReplicas: 3 };
  t.true(await run([{ kind: "scale", from: 0, to: 3 }], { statusChanged: true, status }));
  t.deepEqual(told.faults, []);
  t.like(await api.get(WORKER_POOLS, "n", "speech"), { spec: { replicas: 3 }, status: { desiredReplicas: 3 } });
});

test("a drained pod is asked once more before it goes", async (t) => {
  const { api, work, run, serving, clock, told } = await setUp();
  const pod = await serving("speech-h-0");
  await run([remove(pod)]);
  t.is((await api.get(PODS, "n", "speech-h-0")).metadata.deletionTimestamp, undefined, "it serves");
  await run([{ kind: "drain", pod: "speech-h-0", uid: pod.metadata.uid as string, reason: "ScaleDown" }]);
  await clock.advance(10_000);
  work.step();
  await run([remove(pod)]);
  await t.throwsAsync(api.get(PODS, "n", "speech-h-0"), { instanceOf: ApiError });
  t.is(told.drained, 1);
});

test("a pod that was called back cannot be deleted by what was decided before", async (t) => {
  const { api, work, run, serving, clock } = await setUp();
  const pod = await serving("speech-h-0");
  const uid = pod.metadata.uid as string;
  await run([{ kind: "drain", pod: "speech-h-0", uid, reason: "ScaleDown" }]);
  await clock.advance(10_000);
  work.step();
  await run([{ kind: "undrain", pod: "speech-h-0", uid }]);
  t.is((await work.port.status("http://10.0.0.1:9464", null)).state, "serving");
  const { resourceVersion = "" } = pod.metadata;
  const late = api.delete(PODS, "n", "speech-h-0", { uid, resourceVersion });
  t.like(await t.throwsAsync(late, { instanceOf: ApiError }), { code: 409 });
});

test("without the lease nothing is written, in the middle of a plan too", async (t) => {
  const { api, run, lose } = await setUp();
  api.admission = (_plural, object) => {
    if (object.metadata.name === "speech-h-1") lose();
  };
  await t.throwsAsync(run([create("speech-h-0"), create("speech-h-1"), create("speech-h-2")]), { message: "lost" });
  t.is((await api.list(PODS, {})).items.length, 2);
});

test("a server that asks for less is left alone at once", async (t) => {
  const { api, run } = await setUp();
  let asked = 0;
  api.admission = () => {
    asked += 1;
    throw new ApiError(429, "TooManyRequests", "later", 2);
  };
  await t.throwsAsync(run([create("speech-h-0"), create("speech-h-1")]), { instanceOf: ApiError });
  t.is(asked, 1);
});

test("events name the pods; one that was said already is counted up, not written again", async (t) => {
  const { api, run, serving } = await setUp();
  await run([create("speech-h-0"), create("speech-h-1")]);
  const pod = await serving("speech-h-9");
  const again = { type: "Warning", reason: "DemandUnknown", message: "HTTP 500" } as const;
  await run([{ kind: "drain", pod: "speech-h-9", uid: pod.metadata.uid as string, reason: "Rollout" }]);
  await run([], { events: [again] });
  await run([], { events: [again] });
  t.deepEqual(
    api.peek(EVENTS).map(({ reason, message, count, type }) => [type, reason, message, count]),
    [
      ["Normal", "PodCreated", "Created speech-h-0, speech-h-1", 1],
      ["Normal", "PodDraining", "Asked to take no more work: speech-h-9", 1],
      ["Warning", "DemandUnknown", "HTTP 500", 2],
    ],
  );
  t.like(api.peek(EVENTS)[0]?.involvedObject, { kind: "WorkerPool", name: "speech", namespace: "n" });
});
