import test from "ava";
import { refusalReason } from "../../../operator/act/refusal.ts";
import { TemplateChecks } from "../../../operator/act/template-checks.ts";
import { ApiError, NoAnswer } from "../../../operator/kubernetes/api.ts";
import { parseWorkerPool } from "../../../operator/workerpool/types.ts";
import { VirtualClock } from "../model/clock.ts";
import { MemoryApi } from "../model/memory-api.ts";

const pool = (generation: number, image = "a") =>
  parseWorkerPool({
    apiVersion: "escriba.dev/v1alpha1",
    kind: "WorkerPool",
    metadata: { name: "speech", namespace: "n", uid: "u", resourceVersion: "1", generation },
    spec: {
      queues: ["speech"],
      scaling: { mode: "Manual" },
      template: { spec: { containers: [{ name: "w", image }] } },
    },
  });

function setUp() {
  const clock = new VirtualClock();
  const api = new MemoryApi(clock);
  const state = { asked: 0, error: undefined as Error | undefined };
  api.admission = (_plural, _pod, dryRun) => {
    state.asked += dryRun ? 1 : 1_000;
    if (state.error) throw state.error;
  };
  return { clock, state, checks: new TemplateChecks(api, clock) };
}

test("a template is tried once, and again when it changes; more replicas are no new template", async (t) => {
  const { checks, state } = setUp();
  t.is((await checks.check(pool(1), "h")).verdict, "Accepted");
  await checks.check(pool(1), "h");
  await checks.check(pool(2), "h");
  t.is(state.asked, 1);
  await checks.check(pool(3, "b"), "i");
  t.is(state.asked, 2);
});

test("a refusal is kept with its words, and asked again after a while: its reason may lie elsewhere", async (t) => {
  const { clock, checks, state } = setUp();
  state.error = new ApiError(422, "Invalid", "spec.containers[0].image: Required value");
  t.like(await checks.check(pool(1), "h"), { verdict: "Refused", reason: "Invalid", message: state.error.message });
  state.error = undefined;
  t.is((await checks.check(pool(1), "h")).verdict, "Refused");
  await clock.advance(30_000);
  t.is((await checks.check(pool(1), "h")).verdict, "Accepted");
});

test("a server that does not answer, or a quota, says nothing about a template", async (t) => {
  for (const error of [
    new NoAnswer("POST pods: no answer in time"),
    new ApiError(500, "InternalError", "etcd is away"),
    new ApiError(403, "Forbidden", "pods is forbidden: exceeded quota: gpus"),
  ]) {
    const { checks, state } = setUp();
    state.error = error;
    t.like(await checks.check(pool(1), "h"), { verdict: "Unknown", message: error.message });
  }
});

test("why the server refuses a pod", (t) => {
  const reason = (code: number, message: string) => refusalReason(new ApiError(code, "", message));
  t.is(reason(403, 'pods "a" is forbidden: exceeded quota: gpus, requested: 1'), "Quota");
  t.is(reason(403, 'admission webhook "x" denied the request: no'), "Admission");
  t.is(reason(500, 'failed calling webhook "x": connection refused'), "Admission");
  t.is(reason(403, 'violates PodSecurity "restricted:latest"'), "Admission");
  t.is(reason(422, "spec.containers: Required value"), "Invalid");
  t.is(reason(400, 'strict decoding error: unknown field "spec.nodeNam"'), "Invalid");
  t.is(reason(404, 'namespaces "n" not found'), "Other");
  for (const code of [429, 500, 503, 504]) t.is(reason(code, "later"), null);
});
