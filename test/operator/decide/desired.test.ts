import test from "ava";
import { decide } from "../../../operator/decide/decide.ts";
import type { Observation } from "../../../operator/observation.ts";
import type { DecisionReason } from "../../../operator/workerpool/reasons.ts";
import { at, busy, draining, type Given, idle, lost, observed, pulling, silent, waiting } from "./observed.ts";

/** A slot a pod, 30 s, speed 10: a full chunk of 300 s is a pod. */
const backlog = (pods: number) => waiting(...Array.from({ length: pods }, (): [number, number] => [1, 300]));
const NO_WINDOW = { scaleDown: { stabilizationWindowSeconds: 0 } };

const cases: { of: string; given: Given; desired: number; reason: DecisionReason; says?: RegExp }[] = [
  { of: "nothing at all", given: {}, desired: 0, reason: "Idle", says: /nothing is outstanding/ },
  {
    of: "a backlog",
    given: { demand: backlog(3) },
    desired: 3,
    reason: "Backlog",
    says: /3 chunks \(900 s\) of 3 organizations want 3/,
  },
  {
    of: "nothing, but a minimum",
    given: { spec: { scaling: { minReplicas: 2 } } },
    desired: 2,
    reason: "Idle",
    says: /minReplicas 2/,
  },
  {
    of: "less than the minimum",
    given: { demand: backlog(1), spec: { scaling: { minReplicas: 2 } } },
    desired: 2,
    reason: "AtMin",
  },
  {
    of: "more than the maximum",
    given: { demand: backlog(3), spec: { scaling: { maxReplicas: 2 } } },
    desired: 2,
    reason: "AtMax",
    says: /want 3; maxReplicas 2/,
  },
  {
    of: "more than the policies allow",
    given: { demand: backlog(9), spec: { scaling: { maxReplicas: 20 } } },
    desired: 4,
    reason: "ScaleUpLimited",
    says: /4 for now: scaling policies/,
  },
  {
    of: "scale-up disabled",
    given: { demand: backlog(3), spec: { replicas: 1, scaling: { scaleUp: { selectPolicy: "Disabled" } } } },
    desired: 1,
    reason: "ScaleUpLimited",
    says: /disabled by selectPolicy/,
  },
  {
    of: "a scale-up window that has not passed",
    given: { demand: backlog(3), spec: { scaling: { scaleUp: { stabilizationWindowSeconds: 30 } } } },
    desired: 0,
    reason: "ScaleUpLimited",
    says: /until 2026-03-02T12:00:30/,
  },
  {
    of: "less than there is, within the window",
    given: { spec: { replicas: 3 }, pods: [idle(0), idle(1), idle(2)] },
    desired: 3,
    reason: "ScaleDownLimited",
    says: /nothing is outstanding; 3 for now: stabilization window until 2026-03-02T12:02:00/,
  },
  {
    of: "less than there is, after the window",
    given: {
      spec: { replicas: 3 },
      pods: [idle(0), idle(1), idle(2)],
      status: { scaling: { lower: [{ replicas: 0, since: at(-120) }], higher: [], changes: [] } },
    },
    desired: 0,
    reason: "Idle",
  },
  {
    of: "less than there is, one pod a minute",
    given: {
      spec: {
        replicas: 3,
        scaling: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] },
        },
      },
      pods: [idle(0), idle(1), idle(2)],
    },
    desired: 2,
    reason: "ScaleDownLimited",
    says: /scaling policies/,
  },
  {
    of: "pods at work beyond the backlog",
    given: { spec: { replicas: 3, scaling: NO_WINDOW }, demand: backlog(1), pods: [busy(0), busy(1), idle(2)] },
    desired: 2,
    reason: "BusyPods",
    says: /2 at work or not answering/,
  },
  {
    of: "a pod that does not answer may be at work",
    given: { spec: { replicas: 3, scaling: NO_WINDOW }, pods: [silent(0), idle(1), idle(2)] },
    desired: 1,
    reason: "BusyPods",
  },
  {
    of: "a pod on a lost node holds nothing up",
    given: { spec: { replicas: 1, scaling: NO_WINDOW }, pods: [lost(0)] },
    desired: 0,
    reason: "Idle",
  },
  {
    of: "a pod that pulls its image holds nothing up",
    given: { spec: { replicas: 1, scaling: NO_WINDOW }, pods: [pulling(0)] },
    desired: 0,
    reason: "Idle",
  },
  {
    of: "a pod that drains at work has been given up",
    given: { spec: { replicas: 1, scaling: NO_WINDOW }, pods: [draining(0)] },
    desired: 0,
    reason: "Idle",
  },
  {
    of: "one that drains and does not answer any more, too",
    given: {
      spec: { replicas: 1, scaling: NO_WINDOW },
      pods: [silent(0)],
      status: { draining: [{ pod: silent(0).name, uid: silent(0).uid, since: at(-60), reason: "ScaleDown" }] },
    },
    desired: 0,
    reason: "Idle",
  },
  {
    of: "more at work than the maximum",
    given: { spec: { replicas: 3, scaling: { maxReplicas: 2 } }, pods: [busy(0), busy(1), busy(2)] },
    desired: 2,
    reason: "AtMax",
  },
  {
    of: "scaled by hand below what is at work",
    given: {
      spec: { replicas: 0, scaling: { maxReplicas: 10 } },
      demand: backlog(9),
      pods: [0, 1, 2, 3, 4, 5, 6].map((n) => busy(n)),
    },
    desired: 7,
    reason: "ScaleUpLimited",
  },
  {
    of: "a minimum that was raised is obeyed at once",
    given: {
      spec: { replicas: 0, scaling: { minReplicas: 6, maxReplicas: 9, scaleUp: { selectPolicy: "Disabled" } } },
    },
    desired: 6,
    reason: "Idle",
  },
  {
    of: "a maximum that was lowered is obeyed at once",
    given: { spec: { replicas: 9, scaling: { maxReplicas: 2 } }, demand: backlog(9) },
    desired: 2,
    reason: "AtMax",
  },

  {
    of: "unknown demand holds",
    given: { demand: null, spec: { replicas: 3 }, pods: [idle(0), idle(1), idle(2)] },
    desired: 3,
    reason: "DemandUnknown",
    says: /held at 3/,
  },
  { of: "unknown demand holds at none", given: { demand: null }, desired: 0, reason: "DemandUnknown" },
  {
    of: "an answer that is too old holds",
    given: { demand: { ...backlog(0), observedAt: at(-31) }, spec: { replicas: 3, scaling: NO_WINDOW } },
    desired: 3,
    reason: "DemandUnknown",
  },
  {
    of: "unknown demand keeps the minimum",
    given: { demand: null, spec: { scaling: { minReplicas: 2 } } },
    desired: 2,
    reason: "DemandUnknown",
  },
  {
    of: "unknown demand keeps the maximum",
    given: { demand: null, spec: { replicas: 9 } },
    desired: 4,
    reason: "DemandUnknown",
  },
  {
    of: "unknown demand and more at work than is written",
    given: { demand: null, spec: { replicas: 1 }, pods: [busy(0), busy(1)] },
    desired: 2,
    reason: "DemandUnknown",
  },

  {
    of: "Manual obeys",
    given: { demand: backlog(4), spec: { replicas: 2, scaling: { mode: "Manual" } } },
    desired: 2,
    reason: "Manual",
    says: /spec\.replicas is 2/,
  },
  {
    of: "Manual goes to none, whatever the minimum and the work",
    given: { demand: backlog(4), pods: [busy(0)], spec: { scaling: { mode: "Manual", minReplicas: 1 } } },
    desired: 0,
    reason: "Manual",
  },
  {
    of: "Manual has a maximum",
    given: { spec: { replicas: 40, scaling: { mode: "Manual" } } },
    desired: 4,
    reason: "AtMax",
  },
  {
    of: "Manual needs no demand",
    given: { demand: null, spec: { replicas: 2, scaling: { mode: "Manual" } } },
    desired: 2,
    reason: "Manual",
  },
  { of: "paused", given: { demand: backlog(4), spec: { replicas: 1, paused: true } }, desired: 1, reason: "Paused" },
  {
    of: "being deleted",
    given: { demand: backlog(4), spec: { replicas: 1 }, pool: { deleted: true } },
    desired: 1,
    reason: "Deleted",
  },
];
for (const { of, given, desired, reason, says } of cases) {
  test(`desired: ${of}`, (t) => {
    const { decision, status } = decide(observed(given));
    t.deepEqual({ desired: decision.desired, reason: decision.reason }, { desired, reason });
    if (says) t.regex(decision.message, says);
    t.is(status.desiredReplicas, desired);
    t.deepEqual(
      { desired: status.decision?.desired, reason: status.decision?.reason, message: status.decision?.message },
      { desired, reason, message: decision.message },
    );
  });
}

const scales: { of: string; given: Given; scale: [from: number, to: number] | null }[] = [
  { of: "up", given: { demand: backlog(3) }, scale: [0, 3] },
  { of: "down", given: { spec: { replicas: 3, scaling: NO_WINDOW } }, scale: [3, 0] },
  { of: "not when it is right", given: { demand: backlog(3), spec: { replicas: 3 } }, scale: null },
  { of: "not in Manual", given: { spec: { replicas: 40, scaling: { mode: "Manual" } } }, scale: null },
  { of: "not while paused", given: { demand: backlog(3), spec: { paused: true } }, scale: null },
  { of: "not of a pool that is being deleted", given: { demand: backlog(3), pool: { deleted: true } }, scale: null },
  { of: "back within the maximum", given: { demand: null, spec: { replicas: 9 } }, scale: [9, 4] },
];
for (const { of, given, scale } of scales) {
  test(`spec.replicas is written ${of}`, (t) => {
    const { actions } = decide(observed(given));
    const found = actions.flatMap((action) => (action.kind === "scale" ? [[action.from, action.to]] : []));
    t.deepEqual(found, scale ? [scale] : []);
    if (scale) t.is(actions[0]?.kind, "scale");
  });
}

const memory = (observation: Observation) => decide(observation).status.scaling;

test("a change is remembered for the policies, and a moment later counts against them", (t) => {
  const spec = { scaling: { maxReplicas: 20 } };
  const first = decide(observed({ demand: backlog(9), spec }));
  t.deepEqual(first.status.scaling?.changes, [{ at: at(0), change: 4 }]);
  const second = decide(
    observed({ now: at(2), demand: backlog(9), spec: { ...spec, replicas: 4 }, status: first.status }),
  );
  t.is(second.decision.desired, 4);
  const third = decide(
    observed({ now: at(15), demand: backlog(9), spec: { ...spec, replicas: 4 }, status: second.status }),
  );
  t.is(third.decision.desired, 8);
});

test("unknown demand ends what the window has seen", (t) => {
  const scaling = { lower: [{ replicas: 0, since: at(-110) }], higher: [], changes: [{ at: at(-300), change: 3 }] };
  const held = memory(observed({ demand: null, spec: { replicas: 3 }, status: { scaling } }));
  t.deepEqual(held, { lower: [], higher: [], changes: [{ at: at(-300), change: 3 }] });
});

test("so do Manual and a pause: nobody looked at demand meanwhile", (t) => {
  const status = { scaling: { lower: [{ replicas: 0, since: at(-110) }], higher: [], changes: [] } };
  const nothing = { lower: [], higher: [], changes: [] };
  t.deepEqual(memory(observed({ status, spec: { replicas: 3, scaling: { mode: "Manual" } } })), nothing);
  t.deepEqual(memory(observed({ status, spec: { replicas: 3, paused: true } })), nothing);
});

test("a count scaled by hand in Auto is where the rules go on from", (t) => {
  const nudged = decide(observed({ demand: backlog(1), spec: { replicas: 4 }, pods: [busy(0)] }));
  t.is(nudged.decision.desired, 4);
  t.is(nudged.decision.reason, "ScaleDownLimited");
});

test("a decision that does something is told, also where the count stays", (t) => {
  const first = decide(observed({ demand: backlog(3) }));
  const replaced = decide(
    observed({ now: at(10), demand: backlog(3), spec: { replicas: 3 }, pods: [busy(0)], status: first.status }),
  );
  t.true(replaced.decision.changed);
  t.is(replaced.status.decision?.at, at(0));
});

test("the decision's time is that of its change, and its inputs are told", (t) => {
  const first = decide(observed({ demand: backlog(3) }));
  t.true(first.decision.changed);
  t.is(first.status.decision?.at, at(0));
  const pods = [busy(0), busy(1), busy(2)];
  const again = decide(
    observed({ now: at(10), demand: backlog(3), spec: { replicas: 3 }, pods, status: first.status }),
  );
  t.false(again.decision.changed);
  t.is(again.status.decision?.at, at(0));
  t.deepEqual(again.decision.inputs, {
    demandAgeSeconds: 11,
    outstandingChunks: 3,
    outstandingSeconds: 900,
    slots: 3,
    seconds: 900,
    speed: 10,
    bySlots: 3,
    bySeconds: 3,
    wanted: 3,
  });
});
