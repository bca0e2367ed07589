import test from "ava";
import { decide } from "../../../operator/decide/decide.ts";
import type { PodObservation } from "../../../operator/observation.ts";
import type { Action } from "../../../operator/plan.ts";
import {
  at,
  busy,
  crashing,
  drained,
  draining,
  evicted,
  gated,
  homeless,
  idle,
  lost,
  observed,
  pulling,
  silent,
  starting,
  terminating,
} from "./observed.ts";

/** What is done with pods when `desired` of them are wanted: Manual, so that the count is what the test says. */
function done(desired: number, pods: PodObservation[], begun: PodObservation[] = []): string[] {
  const plan = decide(
    observed({
      pods,
      spec: { replicas: desired, scaling: { mode: "Manual", maxReplicas: 10 } },
      status: {
        draining: begun.map(({ name, uid }) => ({ pod: name, uid, since: at(-60), reason: "ScaleDown" as const })),
      },
    }),
  );
  return plan.actions.map(written);
}

/** `drain 3`, `delete 2 (Drained)`: by the pods' numbers. */
function written(action: Action): string {
  if (action.kind === "scale") return `scale ${action.to}`;
  const number = action.pod.split("-").at(-1);
  return action.kind === "delete" ? `delete ${number} (${action.reason})` : `${action.kind} ${number}`;
}

const cases: { of: string; desired: number; pods: PodObservation[]; begun?: PodObservation[]; actions: string[] }[] = [
  { of: "nothing is done when all is as it should be", desired: 2, pods: [idle(0), busy(1)], actions: [] },
  { of: "an idle pod is drained before it is deleted", desired: 1, pods: [busy(0), idle(1)], actions: ["drain 1"] },
  { of: "a pod that drains and works is waited for", desired: 1, pods: [busy(0), draining(1)], actions: [] },
  {
    of: "a pod that drains and holds a permit is waited for",
    desired: 1,
    pods: [
      busy(0),
      drained(1, { worker: { state: "draining", permits: 1, busy: 0, slots: 1, audioSecondsPerSecond: null } }),
    ],
    actions: [],
  },
  { of: "a drained pod is deleted", desired: 1, pods: [busy(0), drained(1)], actions: ["delete 1 (Drained)"] },
  {
    of: "a pod that says permits 0 and busy 0 and serves is not drained",
    desired: 0,
    pods: [idle(0, { worker: { state: "serving", permits: 0, busy: 0, slots: 1, audioSecondsPerSecond: null } })],
    actions: ["drain 0"],
  },
  { of: "of idle and busy, the idle one goes", desired: 1, pods: [idle(0), busy(1)], actions: ["drain 0"] },
  {
    of: "of busy ones, the least busy goes",
    desired: 1,
    pods: [
      busy(0, { worker: { state: "serving", permits: 3, busy: 3, slots: 4, audioSecondsPerSecond: null } }),
      busy(1),
    ],
    actions: ["drain 1"],
  },
  {
    of: "of equals, the youngest goes",
    desired: 2,
    pods: [idle(0), idle(1, { createdAt: at(-60) }), idle(2)],
    actions: ["drain 1"],
  },
  {
    of: "of equals of one age, the highest number goes",
    desired: 2,
    pods: [idle(0), idle(1), idle(2)],
    actions: ["drain 2"],
  },

  {
    of: "a pod that has not started is deleted at once",
    desired: 1,
    pods: [idle(0), pulling(1)],
    actions: ["delete 1 (NotStarted)"],
  },
  { of: "also when it is the only one", desired: 0, pods: [gated(0)], actions: ["delete 0 (NotStarted)"] },
  { of: "a gated pod is kept while it is wanted", desired: 2, pods: [idle(0), gated(1)], actions: [] },
  { of: "a pod without a node is kept while it is wanted", desired: 2, pods: [idle(0), homeless(1)], actions: [] },
  {
    of: "what fails goes first",
    desired: 3,
    pods: [idle(0), pulling(1), gated(2), crashing(3)],
    actions: ["delete 3 (NotStarted)"],
  },
  {
    of: "then what has no node",
    desired: 2,
    pods: [idle(0), pulling(1), gated(2)],
    actions: ["delete 2 (NotStarted)"],
  },
  {
    of: "then what is about to start",
    desired: 2,
    pods: [idle(0), starting(1), pulling(2)],
    actions: ["delete 2 (NotStarted)"],
  },
  { of: "then what loads its models, by a drain", desired: 1, pods: [idle(0), starting(1)], actions: ["drain 1"] },
  {
    of: "what has not started goes before what already drains, which is called back",
    desired: 1,
    pods: [draining(0), pulling(1)],
    begun: [draining(0)],
    actions: ["undrain 0", "delete 1 (NotStarted)"],
  },
  {
    of: "what drains is chosen again",
    desired: 1,
    pods: [idle(0), draining(1), idle(2)],
    begun: [draining(1)],
    actions: ["drain 2"],
  },

  { of: "a pod that does not answer is not deleted", desired: 0, pods: [silent(0)], actions: [] },
  { of: "nor when its drain has begun", desired: 0, pods: [silent(0)], begun: [silent(0)], actions: [] },
  {
    of: "one that answers goes before one that does not, even at work",
    desired: 1,
    pods: [silent(0), busy(1)],
    actions: ["drain 1"],
  },
  {
    of: "a pod on a lost node is left alone",
    desired: 0,
    pods: [lost(0), lost(1, { running: false, phase: "Pending" })],
    actions: [],
  },
  { of: "a pod that is being deleted is left alone", desired: 0, pods: [terminating(0)], actions: [] },
  { of: "it does not count", desired: 1, pods: [idle(0), terminating(1)], actions: [] },
  { of: "an evicted pod is cleared away", desired: 0, pods: [evicted(0)], actions: ["delete 0 (Ended)"] },
  {
    of: "one that is being deleted already is not deleted again",
    desired: 0,
    pods: [evicted(0, { deletedAt: at(-1) })],
    actions: [],
  },

  {
    of: "a drain is called off when the pod is wanted again",
    desired: 2,
    pods: [busy(0), draining(1)],
    begun: [draining(1)],
    actions: ["undrain 1"],
  },
  {
    of: "also of one that is drained already",
    desired: 2,
    pods: [busy(0), drained(1)],
    begun: [drained(1)],
    actions: ["undrain 1"],
  },
  { of: "also when nobody remembers why it drains", desired: 1, pods: [draining(0)], actions: ["undrain 0"] },
  {
    of: "before a new one is created",
    desired: 3,
    pods: [busy(0), draining(1)],
    begun: [draining(1)],
    actions: ["undrain 1", "create 2"],
  },
  {
    of: "a drain that did not get through is asked for again",
    desired: 1,
    pods: [idle(0), idle(1)],
    begun: [idle(1)],
    actions: ["drain 1"],
  },
  {
    of: "several go at once",
    desired: 0,
    pods: [idle(0), pulling(1), drained(2), busy(3)],
    actions: ["delete 1 (NotStarted)", "delete 2 (Drained)", "drain 0", "drain 3"],
  },
];
for (const { of, desired, pods, begun, actions } of cases) {
  test(`scale-down: ${of}`, (t) => {
    t.deepEqual(done(desired, pods, begun), actions);
  });
}

test("a deletion names the very pod that was looked at", (t) => {
  const { actions } = decide(
    observed({ pods: [drained(4, { uid: "this-one", resourceVersion: "77" })], spec: { scaling: { mode: "Manual" } } }),
  );
  t.like(actions, [{ kind: "delete", uid: "this-one", resourceVersion: "77", reason: "Drained" }]);
});

test("the status says who is on its way out, since when and what for", (t) => {
  const spec = { scaling: { mode: "Manual" as const } };
  const first = decide(observed({ pods: [idle(0), pulling(1)], spec }));
  t.deepEqual(first.status.draining, [{ pod: idle(0).name, uid: idle(0).uid, since: at(0), reason: "ScaleDown" }]);
  const second = decide(observed({ now: at(60), pods: [draining(0)], spec, status: first.status }));
  t.deepEqual(second.status.draining, first.status.draining);
  const third = decide(observed({ now: at(70), pods: [], spec, status: second.status }));
  t.deepEqual(third.status.draining, []);
});

test("a pause keeps what drains as it is", (t) => {
  const begun = [{ pod: draining(0).name, uid: draining(0).uid, since: at(-60), reason: "ScaleDown" as const }];
  const plan = decide(
    observed({ pods: [draining(0), evicted(1)], spec: { paused: true, replicas: 3 }, status: { draining: begun } }),
  );
  t.deepEqual(plan.actions, []);
  t.deepEqual(plan.status.draining, begun);
});
