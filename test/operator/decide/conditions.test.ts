import test from "ava";
import { decide } from "../../../operator/decide/decide.ts";
import type { PodObservation } from "../../../operator/observation.ts";
import type { PoolEvent } from "../../../operator/plan.ts";
import type { Condition, ConditionType } from "../../../operator/workerpool/types.ts";
import {
  at,
  busy,
  crashing,
  drained,
  draining,
  type Given,
  gated,
  homeless,
  idle,
  OLD,
  observed,
  pulling,
  silent,
  starting,
  waiting,
} from "./observed.ts";

const manual = (replicas: number) => ({ replicas, scaling: { mode: "Manual" as const, maxReplicas: 4 } });
const slotsPerPod = (slots: number) => ({
  replicas: 2,
  scaling: { mode: "Manual" as const, maxReplicas: 4, slotsPerPod: slots },
});
const withSlots = (index: number, slots: number, own: Partial<PodObservation> = {}) => {
  const pod = idle(index, own);
  return { ...pod, worker: pod.worker && { ...pod.worker, slots } };
};
const refused = {
  templateCheck: { verdict: "Refused" as const, reason: "Invalid", message: "spec.containers: Required value" },
};
const overdue = { pod: draining(0).name, uid: draining(0).uid, since: at(-901), reason: "ScaleDown" as const };
const quota = {
  templateHash: "newhash222",
  reason: "Quota",
  message: "exceeded quota",
  failures: 2,
  since: at(-20),
  until: at(9),
};

const cases: { type: ConditionType; of: string; given: Given; says: [Condition["status"], string, RegExp] }[] = [
  {
    type: "Ready",
    of: "all ready",
    given: { spec: manual(2), pods: [idle(0), busy(1)] },
    says: ["True", "PodsReady", /^2 of 2 pods are ready$/],
  },
  { type: "Ready", of: "none wanted", given: {}, says: ["True", "ScaledToZero", /0 of 0/] },
  {
    type: "Ready",
    of: "some start",
    given: { spec: manual(2), pods: [idle(0), starting(1)] },
    says: ["False", "PodsStarting", /1 of 2/],
  },
  {
    type: "Ready",
    of: "what drains is not ready",
    given: { spec: manual(1), pods: [draining(0, { ready: true })] },
    says: ["False", "PodsStarting", /0 of 1/],
  },
  {
    type: "Ready",
    of: "none can start",
    given: { spec: manual(1), pods: [crashing(0)] },
    says: ["False", "TemplateCannotStart", /0 of 1 pods are ready; speech-newhash222-0: back-off/],
  },
  {
    type: "Ready",
    of: "old ones work on though the new template cannot start",
    given: { spec: manual(1), pods: [idle(0, { templateHash: OLD }), crashing(0)] },
    says: ["True", "PodsReady", /1 of 1/],
  },
  {
    type: "Ready",
    of: "being deleted",
    given: { pool: { deleted: true } },
    says: ["False", "Deleted", /being deleted/],
  },

  {
    type: "Progressing",
    of: "as it should be",
    given: { spec: manual(1), pods: [idle(0)] },
    says: ["True", "Stable", /./],
  },
  {
    type: "Progressing",
    of: "scaling up",
    given: { spec: manual(2), pods: [idle(0)] },
    says: ["True", "Scaling", /1 pods on the way to 2/],
  },
  {
    type: "Progressing",
    of: "scaling down",
    given: { spec: manual(1), pods: [idle(0), draining(1)] },
    says: ["True", "Scaling", /2 pods on the way to 1/],
  },
  {
    type: "Progressing",
    of: "rolling out",
    given: { spec: manual(2), pods: [idle(0, { templateHash: OLD }), idle(1)] },
    says: ["True", "RollingOut", /1 pods of the present template, 1 of an old one/],
  },
  { type: "Progressing", of: "paused", given: { spec: { paused: true } }, says: ["False", "Paused", /spec\.paused/] },
  {
    type: "Progressing",
    of: "refused",
    given: { pool: refused },
    says: ["False", "TemplateRefused", /Required value/],
  },
  {
    type: "Progressing",
    of: "cannot start",
    given: { spec: manual(1), pods: [idle(0, { templateHash: OLD }), crashing(0)] },
    says: ["False", "TemplateCannotStart", /back-off 40s.*; 1 pods of the old template stay/],
  },
  {
    type: "Progressing",
    of: "a quota",
    given: { spec: manual(1), status: { backoff: [quota] } },
    says: ["False", "Quota", /exceeded quota; 2 in a row, no new pod before 2026-03-02T12:00:09/],
  },
  {
    type: "Progressing",
    of: "a quota that matters no more",
    given: { spec: manual(1), pods: [idle(0)], status: { backoff: [quota] } },
    says: ["True", "Stable", /./],
  },
  {
    type: "Progressing",
    of: "a drain that takes too long",
    given: { spec: manual(0), pods: [draining(0)], status: { draining: [overdue] } },
    says: ["False", "DrainOverdue", /not drained after 900 s: speech-newhash222-0/],
  },
  {
    type: "Progressing",
    of: "a pod that does not answer its drain",
    given: { spec: manual(0), pods: [silent(0)], status: { draining: [overdue] } },
    says: ["False", "DrainOverdue", /speech-newhash222-0/],
  },

  { type: "DemandKnown", of: "answered", given: {}, says: ["True", "Answered", /./] },
  {
    type: "DemandKnown",
    of: "never answered",
    given: { demand: null, demandError: "connect ECONNREFUSED" },
    says: ["False", "NeverAnswered", /http:\/\/api:9464\/internal\/demand yet: connect ECONNREFUSED/],
  },
  {
    type: "DemandKnown",
    of: "stale",
    given: { demand: { ...waiting(), observedAt: at(-40) }, demandError: "503" },
    says: ["False", "Stale", /of 2026-03-02T11:59:20.000Z, older than 30 s: 503/],
  },
  {
    type: "DemandKnown",
    of: "a clock ahead",
    given: { demand: { ...waiting(), observedAt: at(40) } },
    says: ["False", "FromTheFuture", /30 s ahead/],
  },
  {
    type: "DemandKnown",
    of: "nobody to ask",
    given: { spec: { ...manual(0), demand: undefined }, demand: null },
    says: ["Unknown", "NotConfigured", /./],
  },

  { type: "TemplateAccepted", of: "accepted", given: {}, says: ["True", "Accepted", /accepts/] },
  { type: "TemplateAccepted", of: "refused", given: { pool: refused }, says: ["False", "Invalid", /Required value/] },
  {
    type: "TemplateAccepted",
    of: "not asked",
    given: { pool: { templateCheck: { verdict: "Unknown", reason: "NotAsked", message: "" } } },
    says: ["Unknown", "NotAsked", /^$/],
  },

  {
    type: "Unschedulable",
    of: "none waits",
    given: { spec: manual(1), pods: [pulling(0)] },
    says: ["False", "NoneWaits", /./],
  },
  {
    type: "Unschedulable",
    of: "two wait",
    given: { spec: manual(2), pods: [homeless(0), homeless(1)] },
    says: ["True", "NoNodeFits", /speech-newhash222-0 \(and 1 more\) since .*: 0\/3 nodes are available/],
  },
  {
    type: "Unschedulable",
    of: "not yet a minute",
    given: { spec: manual(1), pods: [homeless(0, { unschedulable: { since: at(-59), message: "no GPU" } })] },
    says: ["False", "NoneWaits", /./],
  },
  {
    type: "Unschedulable",
    of: "gated",
    given: { spec: manual(1), pods: [gated(0)] },
    says: ["False", "NoneWaits", /./],
  },

  { type: "AtMax", of: "below", given: {}, says: ["False", "BelowMax", /0 of at most 4/] },
  {
    type: "AtMax",
    of: "exactly at it",
    given: { demand: waiting([4, 1200]), spec: { replicas: 4 } },
    says: ["False", "BelowMax", /4 of at most 4/],
  },
  {
    type: "AtMax",
    of: "beyond",
    given: { demand: waiting([9, 2700]), spec: { replicas: 4 } },
    says: ["True", "MaxReplicas", /9 wanted, maxReplicas 4/],
  },
  { type: "AtMax", of: "beyond by hand", given: { spec: manual(9) }, says: ["True", "MaxReplicas", /9 wanted/] },

  {
    type: "SlotsAgree",
    of: "as declared",
    given: { spec: slotsPerPod(2), pods: [withSlots(0, 2), withSlots(1, 2)] },
    says: ["True", "AsReported", /^slotsPerPod is 2, as the workers report$/],
  },
  {
    type: "SlotsAgree",
    of: "workers have more",
    given: { spec: slotsPerPod(2), pods: [withSlots(0, 3), withSlots(1, 3)] },
    says: ["False", "SlotsDiffer", /^slotsPerPod is 2, and workers report 3$/],
  },
  {
    type: "SlotsAgree",
    of: "one worker is set up otherwise",
    given: { spec: slotsPerPod(2), pods: [withSlots(0, 2), withSlots(1, 1)] },
    says: ["False", "SlotsDiffer", /workers report 1$/],
  },
  {
    type: "SlotsAgree",
    of: "those of an old template do not count",
    given: { spec: slotsPerPod(2), pods: [withSlots(0, 1, { templateHash: OLD }), withSlots(1, 2)] },
    says: ["True", "AsReported", /./],
  },
  {
    type: "SlotsAgree",
    of: "nobody answers",
    given: { spec: slotsPerPod(2), pods: [silent(0), starting(1, { worker: null })] },
    says: ["Unknown", "NoneAnswers", /no worker/],
  },
];
for (const { type, of, given, says } of cases) {
  test(`${type}: ${of}`, (t) => {
    const observation = observed(given);
    if (given.spec && "demand" in given.spec && given.spec.demand === undefined) delete observation.pool.spec.demand;
    const found = decide(observation).status.conditions.find((condition) => condition.type === type);
    const [status, reason, message] = says;
    t.like(found, { status, reason, observedGeneration: 3 });
    t.regex(found?.message ?? "", message);
  });
}

test("a condition's time is that of its turn, not of its reason's", (t) => {
  const first = decide(observed({ spec: manual(1) }));
  const second = decide(observed({ now: at(5), spec: manual(1), pods: [starting(0)], status: first.status }));
  const third = decide(observed({ now: at(9), spec: manual(1), pods: [idle(0)], status: second.status }));
  const times = [first, second, third].map(
    ({ status }) => status.conditions.find(({ type }) => type === "Ready")?.lastTransitionTime,
  );
  t.deepEqual(times, [at(0), at(0), at(9)]);
});

test("every condition is said each time", (t) => {
  for (const given of [{}, { pool: { deleted: true } }, { spec: { paused: true } }, { demand: null }]) {
    const types = decide(observed(given)).status.conditions.map(({ type }) => type);
    t.deepEqual(types, [
      "Ready",
      "Progressing",
      "DemandKnown",
      "TemplateAccepted",
      "Unschedulable",
      "AtMax",
      "SlotsAgree",
    ]);
  }
});

const happened = (before: Given, after: Given): PoolEvent[] =>
  decide(observed({ ...after, now: at(2), status: decide(observed(before)).status })).events;

const events: { of: string; before: Given; after: Given; said: [PoolEvent["type"], string, RegExp][] }[] = [
  { of: "nothing new", before: { spec: manual(1) }, after: { spec: manual(1) }, said: [] },
  {
    of: "up",
    before: {},
    after: { demand: waiting([2, 600]) },
    said: [["Normal", "ScaledUp", /^from 0 to 2: 2 chunks/]],
  },
  {
    of: "down",
    before: { spec: manual(2) },
    after: { spec: manual(1) },
    said: [["Normal", "ScaledDown", /^from 2 to 1: Manual/]],
  },
  {
    of: "demand is not known any more",
    before: {},
    after: { demand: null },
    said: [["Warning", "NeverAnswered", /no answer/]],
  },
  { of: "demand is known again", before: { demand: null }, after: {}, said: [["Normal", "DemandKnown", /./]] },
  { of: "demand goes on being unknown", before: { demand: null }, after: { demand: null }, said: [] },
  {
    of: "a template cannot start",
    before: { spec: manual(1), pods: [pulling(0)] },
    after: { spec: manual(1), pods: [crashing(0)] },
    said: [["Warning", "TemplateCannotStart", /back-off/]],
  },
  {
    of: "it starts after all",
    before: { spec: manual(1), pods: [crashing(0)] },
    after: { spec: manual(1), pods: [idle(0, { readyChangedAt: at(1) })] },
    said: [["Normal", "Stable", /./]],
  },
  {
    of: "refused",
    before: {},
    after: { pool: refused },
    said: [["Warning", "TemplateRefused", /Required/]],
  },
  {
    of: "accepted after all",
    before: { pool: refused },
    after: {},
    said: [["Normal", "Stable", /./]],
  },
  {
    of: "no node",
    before: { spec: manual(1), pods: [pulling(0)] },
    after: { spec: manual(1), pods: [homeless(0)] },
    said: [["Warning", "NoNodeFits", /nvidia/]],
  },
  {
    of: "a node",
    before: { spec: manual(1), pods: [homeless(0)] },
    after: { spec: manual(1), pods: [pulling(0)] },
    said: [["Normal", "Scheduled", /./]],
  },
  {
    of: "at the maximum",
    before: { spec: manual(4) },
    after: { spec: manual(5) },
    said: [["Warning", "AtMax", /5 wanted/]],
  },
  {
    of: "below it again",
    before: { spec: manual(5) },
    after: { spec: manual(4) },
    said: [["Normal", "BelowMax", /./]],
  },
  {
    of: "workers have other slots",
    before: { spec: slotsPerPod(2), pods: [withSlots(0, 2), withSlots(1, 2)] },
    after: { spec: slotsPerPod(2), pods: [withSlots(0, 3), withSlots(1, 3)] },
    said: [["Warning", "SlotsDiffer", /workers report 3/]],
  },
  {
    of: "they agree again",
    before: { spec: slotsPerPod(2), pods: [withSlots(0, 3), withSlots(1, 3)] },
    after: { spec: slotsPerPod(3), pods: [withSlots(0, 3), withSlots(1, 3)] },
    said: [["Normal", "SlotsAgree", /slotsPerPod is 3/]],
  },
  {
    of: "they do not answer any more, which mends nothing",
    before: { spec: slotsPerPod(2), pods: [withSlots(0, 3), withSlots(1, 3)] },
    after: { spec: slotsPerPod(2), pods: [silent(0), silent(1)] },
    said: [],
  },
  {
    of: "a drain is done",
    before: { spec: manual(0), pods: [draining(0)] },
    after: { spec: manual(0), pods: [drained(0)] },
    said: [],
  },
];
for (const { of, before, after, said } of events) {
  test(`events: ${of}`, (t) => {
    const found = happened(before, after);
    t.deepEqual(
      found.map(({ type, reason }) => [type, reason]),
      said.map(([type, reason]) => [type, reason]),
    );
    for (const [index, [, , message]] of said.entries()) t.regex(found[index]?.message ?? "", message);
  });
}
