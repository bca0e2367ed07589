import test from "ava";
import { decide } from "../../../operator/decide/decide.ts";
import type { PodObservation } from "../../../operator/observation.ts";
import {
  at,
  crashing,
  draining,
  evicted,
  type Given,
  gated,
  homeless,
  idle,
  lost,
  NEW,
  OLD,
  observed,
  pulling,
  silent,
  terminating,
  waiting,
} from "./observed.ts";

function created(given: Given): string[] {
  return decide(observed(given)).actions.flatMap((action) => (action.kind === "create" ? [action.pod] : []));
}
const names = (...indexes: number[]) => indexes.map((index) => `speech-${NEW}-${index}`);
const wanted = (replicas: number, maxReplicas = 4) => ({ replicas, scaling: { mode: "Manual" as const, maxReplicas } });

const cases: { of: string; desired: number; max?: number; pods: PodObservation[]; creates: string[] }[] = [
  { of: "none are there", desired: 3, pods: [], creates: names(0, 1, 2) },
  { of: "some are there", desired: 3, pods: [idle(0)], creates: names(1, 2) },
  { of: "the lowest free numbers are taken", desired: 4, pods: [idle(1), idle(3)], creates: names(0, 2) },
  {
    of: "a number is free only when its pod is gone: terminating",
    desired: 2,
    pods: [idle(1), terminating(0)],
    creates: names(2),
  },
  {
    of: "a number is free only when its pod is gone: evicted",
    desired: 2,
    pods: [idle(1), evicted(0, { deletedAt: at(-1) })],
    creates: names(2),
  },
  {
    of: "another template's numbers are others",
    desired: 1,
    pods: [terminating(0, { templateHash: OLD })],
    creates: names(0),
  },
  { of: "pods that have not started count", desired: 3, pods: [pulling(0), gated(1), homeless(2)], creates: [] },
  { of: "pods that do not answer count", desired: 2, pods: [silent(0), idle(1)], creates: [] },
  { of: "pods that crash count beside those that work", desired: 2, pods: [crashing(0), idle(1)], creates: [] },
  { of: "draining ones come back instead", desired: 2, pods: [draining(0), draining(1)], creates: [] },
  { of: "an evicted pod is replaced", desired: 1, pods: [evicted(0, { templateHash: OLD })], creates: names(0) },
  {
    of: "a pod that is drained by its node is replaced before it is gone",
    desired: 4,
    pods: [idle(0), idle(1), idle(2), terminating(3)],
    creates: names(4),
  },
  {
    of: "but no more than may surge",
    desired: 4,
    pods: [idle(0), idle(1), terminating(2), terminating(3)],
    creates: names(4),
  },
  { of: "a pod on a lost node is replaced", desired: 2, pods: [idle(0), lost(1)], creates: names(2) },
  {
    of: "a terminating pod on a lost node is replaced",
    desired: 2,
    pods: [idle(0), terminating(1, { nodeLost: true })],
    creates: names(2),
  },
  {
    of: "not past the maximum: it may never go",
    desired: 4,
    pods: [idle(0), idle(1), idle(2), terminating(3, { nodeLost: true })],
    creates: [],
  },
  { of: "not past the maximum: it may come back", desired: 4, pods: [idle(0), idle(1), lost(2), lost(3)], creates: [] },
  { of: "as far as the maximum", desired: 4, max: 5, pods: [idle(0), idle(1), lost(2), lost(3)], creates: names(4) },
];
for (const { of, desired, max, pods, creates } of cases) {
  test(`creating: ${of}`, (t) => {
    t.deepEqual(created({ pods, spec: wanted(desired, max) }), creates);
  });
}

test("the same observation creates the same names: a crash before the status makes no second pod", (t) => {
  const given = { demand: waiting([3, 900]) };
  t.deepEqual(created(given), created(given));
});

test("nothing is created of a template that the API server refuses", (t) => {
  const templateCheck = { verdict: "Refused" as const, reason: "Invalid", message: "spec.containers: Required value" };
  t.deepEqual(created({ spec: wanted(2), pool: { templateCheck } }), []);
});

test("one that could not be asked about is tried", (t) => {
  const templateCheck = { verdict: "Unknown" as const, reason: "NotAsked", message: "" };
  t.deepEqual(created({ spec: wanted(1), pool: { templateCheck } }), names(0));
});
