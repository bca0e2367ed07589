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
  gated,
  homeless,
  idle,
  lost,
  NEW,
  OLD,
  observed,
  pulling,
  type Spec,
  silent,
  starting,
  terminating,
  unpullable,
} from "./observed.ts";

type Make = (index: number, own?: Partial<PodObservation>) => PodObservation;
/** Pods of the old template, numbered from 0. */
const old = (...makes: Make[]) => makes.map((make, index) => make(index, { templateHash: OLD }));
/** Pods of the present template, numbered from 0. */
const fresh = (...makes: Make[]) => makes.map((make, index) => make(index));

interface Case {
  of: string;
  desired?: number;
  rollout?: Spec["rollout"];
  max?: number;
  old: PodObservation[];
  fresh: PodObservation[];
  begun?: { pod: PodObservation; reason: "Rollout" | "MakeRoom" }[];
  room?: { since: string; readyReplicas: number };
  refused?: boolean;
  actions: string[];
}

const plan = (one: Case) =>
  decide(
    observed({
      pods: [...one.old, ...one.fresh],
      spec: {
        replicas: one.desired ?? 3,
        rollout: one.rollout,
        scaling: { mode: "Manual", maxReplicas: one.max ?? 6 },
      },
      ...(one.refused && {
        pool: { templateCheck: { verdict: "Refused", reason: "Invalid", message: "no containers" } },
      }),
      status: {
        ...(one.room && { room: one.room }),
        draining: (one.begun ?? []).map(({ pod: { name, uid }, reason }) => ({
          pod: name,
          uid,
          since: at(-60),
          reason,
        })),
      },
    }),
  );

/** `drain old 2`, `create new 0`. */
function written(action: Action): string {
  if (action.kind === "scale") return "scale";
  const template = action.pod.startsWith(`speech-${OLD}-`) ? "old" : "new";
  return `${action.kind} ${template} ${action.pod.split("-").at(-1)}`;
}

/** Three are desired, one may surge and none may be missing, unless said otherwise. */
const cases: Case[] = [
  { of: "a new pod first", old: old(idle, busy, idle), fresh: [], actions: ["create new 0"] },
  { of: "nothing goes while it is not ready", old: old(idle, busy, idle), fresh: fresh(starting), actions: [] },
  { of: "nothing goes while it pulls its image", old: old(idle, busy, idle), fresh: fresh(pulling), actions: [] },
  {
    of: "one goes when it is ready, an idle one",
    old: old(busy, idle, busy),
    fresh: fresh(idle),
    actions: ["drain old 1"],
  },
  { of: "or the least busy one", old: old(busy, busy, busy), fresh: fresh(idle), actions: ["drain old 2"] },
  { of: "its drain is waited for", old: old(busy, draining, busy), fresh: fresh(idle), actions: [] },
  {
    of: "it is deleted when it is drained",
    old: old(busy, drained, busy),
    fresh: fresh(idle),
    actions: ["delete old 1"],
  },
  { of: "then the next new one", old: old(busy, busy), fresh: fresh(idle), actions: ["create new 1"] },
  { of: "the last old one goes", old: old(busy), fresh: fresh(idle, idle, busy), actions: ["drain old 0"] },
  { of: "without old ones it is done", old: [], fresh: fresh(idle, idle, busy), actions: [] },
  {
    of: "an old one that is not ready goes first",
    old: old(idle, starting, idle),
    fresh: fresh(idle),
    actions: ["drain old 1"],
  },
  {
    of: "an old one that has not started is deleted",
    old: old(idle, pulling, idle),
    fresh: fresh(idle),
    actions: ["delete old 1"],
  },
  { of: "but not before the new one is ready", old: old(idle, pulling, idle), fresh: fresh(starting), actions: [] },
  {
    of: "an old one that does not answer is not deleted",
    old: old(silent),
    fresh: fresh(idle, idle, idle),
    actions: [],
  },
  {
    of: "one that does not answer and is not ready is no reason to let a ready one go",
    old: [silent(0, { templateHash: OLD, ready: false }), ...old(silent, idle, idle).slice(1)],
    fresh: fresh(idle),
    actions: [],
  },
  {
    of: "old ones on a lost node are no part of it",
    old: old(lost, lost),
    fresh: fresh(idle, idle, idle),
    actions: [],
  },
  {
    of: "old ones that are being deleted are no part of it",
    old: old(terminating),
    fresh: fresh(idle, idle, idle),
    actions: [],
  },
  {
    of: "several may surge",
    rollout: { maxSurge: 3 },
    old: old(idle, idle, idle),
    fresh: [],
    actions: ["create new 0", "create new 1", "create new 2"],
  },
  {
    of: "no more than desired, however many may surge",
    rollout: { maxSurge: 9 },
    max: 20,
    old: old(idle, idle, idle),
    fresh: [],
    actions: ["create new 0", "create new 1", "create new 2"],
  },
  {
    of: "no surge: one goes first",
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    old: old(idle, busy, idle),
    fresh: [],
    actions: ["drain old 2"],
  },
  {
    of: "no surge: its drain is waited for",
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    old: old(idle, busy, draining),
    fresh: [],
    actions: [],
  },
  {
    of: "no surge: then the new one",
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    old: old(idle, busy),
    fresh: [],
    actions: ["create new 0"],
  },
  {
    of: "no surge: nothing goes while it starts",
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    old: old(idle, busy),
    fresh: fresh(starting),
    actions: [],
  },
  {
    of: "all may be missing",
    rollout: { maxSurge: 0, maxUnavailable: 3 },
    old: old(idle, busy, idle),
    fresh: [],
    actions: ["drain old 2", "drain old 0", "drain old 1"],
  },
  {
    of: "surge stops at the maximum and what may surge",
    desired: 3,
    max: 3,
    rollout: { maxSurge: 1 },
    old: old(idle, idle, idle),
    fresh: fresh(terminating),
    actions: [],
  },

  {
    of: "fewer are desired: old ones go",
    desired: 1,
    old: old(idle, busy, idle),
    fresh: fresh(idle),
    actions: ["drain old 2", "drain old 0", "drain old 1"],
  },
  {
    of: "fewer are desired: as many stay as are, with new ones, enough",
    desired: 2,
    old: old(idle, busy, idle),
    fresh: fresh(idle),
    actions: ["drain old 2", "drain old 0"],
  },
  {
    of: "fewer are desired, and the new one is not ready",
    desired: 1,
    old: old(idle, busy, idle),
    fresh: fresh(starting),
    actions: ["drain old 2", "drain old 0"],
  },
  {
    of: "none are desired: all go",
    desired: 0,
    old: old(idle, pulling),
    fresh: fresh(idle, gated),
    actions: ["delete new 1", "drain new 0", "delete old 1", "drain old 0"],
  },
  {
    of: "more are desired: the new template's",
    desired: 5,
    old: old(busy, busy, busy),
    fresh: fresh(idle),
    actions: ["create new 1", "create new 2"],
  },
  {
    of: "more new ones than desired: the surplus goes",
    desired: 1,
    old: [],
    fresh: fresh(idle, busy),
    actions: ["drain new 0"],
  },

  {
    of: "no node for the new one: an idle old one makes room",
    old: old(busy, idle, idle),
    fresh: fresh(homeless),
    actions: ["drain old 2"],
  },
  {
    of: "no node: one alone makes room",
    old: old(busy, draining, idle),
    begun: [{ pod: draining(1, { templateHash: OLD }), reason: "MakeRoom" }],
    fresh: fresh(homeless),
    actions: [],
  },
  {
    of: "no node: what makes room is deleted when it is drained",
    old: old(busy, drained, idle),
    begun: [{ pod: drained(1, { templateHash: OLD }), reason: "MakeRoom" }],
    fresh: fresh(homeless),
    actions: ["delete old 1"],
  },
  {
    of: "no node: no second one while the scheduler takes its time",
    old: old(busy, idle),
    fresh: fresh(homeless),
    room: { since: at(-30), readyReplicas: 3 },
    actions: [],
  },
  {
    of: "no node: nor while the new pod in that room starts",
    old: old(busy, idle),
    fresh: fresh(starting, homeless),
    room: { since: at(-90), readyReplicas: 3 },
    actions: [],
  },
  {
    of: "no node: nor when somebody else has taken the room",
    old: old(idle, idle),
    fresh: fresh(homeless),
    room: { since: at(-900), readyReplicas: 3 },
    actions: [],
  },
  {
    of: "no node: but not for ever, a node may be gone",
    old: old(idle, idle),
    fresh: fresh(homeless),
    room: { since: at(-901), readyReplicas: 3 },
    actions: ["drain old 1"],
  },
  {
    of: "no node: the next makes room when the first new one is ready",
    old: old(busy, idle),
    fresh: fresh(idle, homeless),
    room: { since: at(-90), readyReplicas: 3 },
    actions: ["drain old 1"],
  },
  {
    of: "no node: also where more are desired than ever fitted",
    desired: 5,
    old: old(busy, idle, idle),
    fresh: fresh(homeless, homeless),
    actions: ["drain old 2"],
  },
  {
    of: "no node: then, too, one at a time",
    desired: 5,
    old: old(busy, idle),
    fresh: fresh(homeless, homeless, homeless),
    room: { since: at(-30), readyReplicas: 3 },
    actions: [],
  },
  {
    of: "old ones that crash go at once: they hold what the new one waits for",
    old: old(crashing, crashing, crashing),
    fresh: fresh(homeless),
    actions: ["delete old 2", "delete old 1", "delete old 0"],
  },
  {
    of: "so do old ones without a node",
    old: old(idle, homeless, gated),
    fresh: fresh(pulling),
    actions: ["delete old 2", "delete old 1"],
  },
  { of: "no node: none goes while all are at work", old: old(busy, busy, busy), fresh: fresh(homeless), actions: [] },
  {
    of: "no node: none goes when it shall wait",
    rollout: { whenUnschedulable: "Wait" },
    old: old(idle, idle, idle),
    fresh: fresh(homeless),
    actions: [],
  },
  {
    of: "no node: none goes before the cluster had its time to add a node",
    rollout: { unschedulableSeconds: 300 },
    old: old(idle, idle, idle),
    fresh: fresh(homeless),
    actions: [],
  },
  {
    of: "no node: none goes for a gated pod: its queue decides",
    old: old(idle, idle, idle),
    fresh: fresh(gated),
    actions: [],
  },
  {
    of: "a node came: the old one is called back",
    old: old(busy, draining, idle),
    begun: [{ pod: draining(1, { templateHash: OLD }), reason: "MakeRoom" }],
    fresh: fresh(pulling),
    actions: ["undrain old 1"],
  },

  {
    of: "a template that crashes stops it: old ones stay",
    old: old(idle, idle, idle),
    fresh: fresh(crashing),
    actions: [],
  },
  { of: "one whose image is not there stops it", old: old(idle, idle, idle), fresh: fresh(unpullable), actions: [] },
  {
    of: "what was on its way out comes back",
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    old: old(idle, draining),
    fresh: fresh(crashing),
    begun: [{ pod: draining(1, { templateHash: OLD }), reason: "Rollout" }],
    actions: ["undrain old 1"],
  },
  {
    of: "stopped, with more that may surge: no more are tried",
    rollout: { maxSurge: 3 },
    old: old(idle, idle, idle),
    fresh: fresh(crashing),
    actions: [],
  },
  {
    of: "stopped: fewer are desired, old ones go, the new one is tried on",
    desired: 1,
    old: old(idle, busy, idle),
    fresh: fresh(crashing),
    actions: ["drain old 2", "drain old 0"],
  },
  {
    of: "stopped: none are desired, all go",
    desired: 0,
    old: old(idle),
    fresh: fresh(crashing),
    actions: ["delete new 0", "drain old 0"],
  },
  {
    of: "stopped: none goes, however many may be missing",
    rollout: { maxSurge: 1, maxUnavailable: 2 },
    old: old(idle, idle, idle),
    fresh: fresh(crashing),
    actions: [],
  },
  {
    of: "one that is ready beside one that crashes: no further, but not back",
    old: old(idle, idle),
    fresh: fresh(idle, crashing),
    actions: [],
  },
  {
    of: "a template that is refused: nothing new, old ones stay",
    refused: true,
    old: old(idle, busy, idle),
    fresh: [],
    actions: [],
  },
  {
    of: "a template that is refused: none goes, however many may be missing",
    refused: true,
    rollout: { maxSurge: 0, maxUnavailable: 2 },
    old: old(idle, busy, idle),
    fresh: [],
    actions: [],
  },
  {
    of: "a template that is refused: fewer are desired, old ones go",
    refused: true,
    desired: 2,
    old: old(idle, busy, idle),
    fresh: [],
    actions: ["drain old 2"],
  },
];
for (const one of cases) {
  test(`rollout: ${one.of}`, (t) => {
    t.deepEqual(plan(one).actions.map(written), one.actions);
  });
}

test("the status says what each goes for", (t) => {
  const reasons = (one: Omit<Case, "of" | "actions">) =>
    plan({ ...one, of: "", actions: [] }).status.draining.map(({ reason }) => reason);
  t.deepEqual(reasons({ old: old(idle, idle, idle), fresh: fresh(idle) }), ["Rollout"]);
  t.deepEqual(reasons({ old: old(idle, idle, idle), fresh: fresh(homeless) }), ["MakeRoom"]);
  t.deepEqual(reasons({ desired: 1, old: [], fresh: fresh(idle, idle) }), ["ScaleDown"]);
});

test("the status remembers how many were ready when room was made, until no old pod is left", (t) => {
  const spec = { replicas: 3, scaling: { mode: "Manual" as const } };
  const status = (given: PodObservation[], before = {}, now = at(0)) =>
    decide(observed({ now, pods: given, spec, status: before })).status;
  const first = status([...old(busy, idle, idle), ...fresh(homeless)]);
  t.deepEqual(first.room, { since: at(0), readyReplicas: 3 });
  const second = status([...old(busy, idle, draining), ...fresh(homeless)], first, at(2));
  t.deepEqual(second.room, first.room);
  const third = status([...old(busy, idle), ...fresh(idle)], second, at(60));
  t.deepEqual(third.room, first.room);
  t.is(status(fresh(idle, idle, idle), third, at(90)).room, undefined);
});

test("a template that was changed back finds its pods", (t) => {
  const { actions } = decide(
    observed({
      pods: [idle(0), draining(1), ...old(starting)],
      spec: { replicas: 2, scaling: { mode: "Manual" } },
      status: { draining: [{ pod: draining(1).name, uid: draining(1).uid, since: at(-9), reason: "Rollout" }] },
    }),
  );
  t.deepEqual(actions.map(written), ["undrain new 1", "drain old 0"]);
  t.is(NEW, idle(0).templateHash);
});
