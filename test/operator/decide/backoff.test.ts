import test from "ava";
import { decide } from "../../../operator/decide/decide.ts";
import type { CreateFailure, Observation, PodObservation } from "../../../operator/observation.ts";
import type { Backoff } from "../../../operator/workerpool/types.ts";
import {
  at,
  crashing,
  evicted,
  type Given,
  idle,
  NEW,
  OLD,
  observed,
  pulling,
  starting,
  unpullable,
} from "./observed.ts";

const wanted = (replicas: number, maxReplicas = 6) => ({ replicas, scaling: { mode: "Manual" as const, maxReplicas } });
const run = (given: Given) => decide(observed(given));
const creates = (given: Given) => run(given).actions.filter(({ kind }) => kind === "create").length;
const own = (given: Given) => run(given).status.backoff.find(({ templateHash }) => templateHash === NEW);

const quota: CreateFailure = {
  templateHash: NEW,
  at: at(-1),
  reason: "Quota",
  message: 'pods "speech-newhash222-0" is forbidden: exceeded quota: gpus',
};
const entry = (facts: Partial<Backoff> = {}): Backoff => ({
  templateHash: NEW,
  reason: "Quota",
  message: "exceeded quota",
  failures: 1,
  since: at(-5),
  until: at(5),
  ...facts,
});

const failures: { of: string; given: Given; reason: string; message: RegExp }[] = [
  { of: "a quota", given: { failures: [quota] }, reason: "Quota", message: /exceeded quota/ },
  {
    of: "an admission webhook",
    given: { failures: [{ ...quota, reason: "Admission" }] },
    reason: "Admission",
    message: /forbidden/,
  },
  {
    of: "a pod that is not valid",
    given: { failures: [{ ...quota, reason: "Invalid" }] },
    reason: "Invalid",
    message: /./,
  },
  {
    of: "a name that is another's",
    given: { failures: [{ ...quota, reason: "NameTaken" }] },
    reason: "NameTaken",
    message: /./,
  },
  {
    of: "a crash loop",
    given: { pods: [crashing(0)] },
    reason: "CrashLoopBackOff",
    message: /speech-newhash222-0: back-off 40s/,
  },
  {
    of: "an image that cannot be pulled",
    given: { pods: [unpullable(0)] },
    reason: "ImagePullBackOff",
    message: /escriba:9/,
  },
  {
    of: "a Secret that is not there",
    given: {
      pods: [unpullable(0, { waiting: { reason: "CreateContainerConfigError", message: 'secret "s3" not found' } })],
    },
    reason: "CreateContainerConfigError",
    message: /secret "s3" not found/,
  },
  {
    of: "restarts without getting ready",
    given: { pods: [starting(0, { restarts: 2 })] },
    reason: "Restarting",
    message: /restarted 2 times/,
  },
  {
    of: "too long to get ready",
    given: { pods: [starting(0, { scheduledAt: at(-901), readyChangedAt: at(-901) })] },
    reason: "DeadlineExceeded",
    message: /not ready within 900 s/,
  },
  { of: "an eviction", given: { pods: [evicted(0)] }, reason: "Evicted", message: /low on resource: memory/ },
  {
    of: "a failed pod",
    given: { pods: [evicted(0, { reason: null, message: null })] },
    reason: "Failed",
    message: /its containers have ended/,
  },
  {
    of: "a worker that ended by itself",
    given: { pods: [evicted(0, { phase: "Succeeded", reason: null, message: null })] },
    reason: "Completed",
    message: /its containers have ended/,
  },
];
for (const { of, given, reason, message } of failures) {
  test(`backs off from ${of}`, (t) => {
    const found = own({ ...given, spec: wanted(3) });
    t.like(found, { templateHash: NEW, reason, failures: 1, since: at(0), until: at(10) });
    t.regex(found?.message ?? "", message);
    t.is(creates({ ...given, spec: wanted(3) }), 0);
  });
}

const fine: { of: string; pods: PodObservation[] }[] = [
  { of: "a pod that pulls its image", pods: [pulling(0)] },
  { of: "a pod that loads its models", pods: [starting(0)] },
  { of: "one restart", pods: [starting(0, { restarts: 1 })] },
  { of: "many restarts of a pod that is ready", pods: [idle(0, { restarts: 40 })] },
  {
    of: "a pod that was ready for hours and is not for a minute",
    pods: [starting(0, { scheduledAt: at(-9000), readyChangedAt: at(-60) })],
  },
  { of: "a crash of one beside one that works", pods: [idle(0), crashing(1)] },
  { of: "an evicted pod that is being deleted already", pods: [evicted(0, { deletedAt: at(-1) })] },
  { of: "another template's failures", pods: [crashing(0, { templateHash: OLD }), evicted(1, { templateHash: OLD })] },
];
for (const { of, pods } of fine) {
  test(`does not back off from ${of}`, (t) => {
    t.is(own({ pods, spec: wanted(4) }), undefined);
  });
}

test("another template's refusal is not this one's", (t) => {
  t.is(own({ failures: [{ ...quota, templateHash: OLD }], spec: wanted(1) }), undefined);
});

test("a failure more doubles the wait, up to 5 minutes", (t) => {
  const waits: number[] = [];
  let backoff: Backoff[] = [];
  let second = 0;
  for (let failure = 0; failure < 8; failure += 1) {
    const { status } = run({ now: at(second), failures: [quota], spec: wanted(1), status: { backoff } });
    backoff = status.backoff;
    const until = (Date.parse(backoff[0]?.until ?? "") - Date.parse(at(0))) / 1000;
    waits.push(until - second);
    second = until;
  }
  t.deepEqual(waits, [10, 20, 40, 80, 160, 300, 300, 300]);
  t.like(backoff[0], { failures: 8, since: at(0) });
});

test("within a wait nothing is created and nothing is counted", (t) => {
  const given = { failures: [quota], spec: wanted(3), status: { backoff: [entry()] } };
  t.is(creates(given), 0);
  t.deepEqual(own(given), entry());
});

test("after it, one pod tries how it is now", (t) => {
  t.is(creates({ spec: wanted(3), status: { backoff: [entry({ until: at(0) })] } }), 1);
});

test("a refusal is over once a pod was let in since, and the others follow", (t) => {
  const given = {
    pods: [pulling(0, { createdAt: at(-1) })],
    spec: wanted(3),
    status: { backoff: [entry({ until: at(8) })] },
  };
  t.is(own(given), undefined);
  t.is(creates(given), 2);
});

test("not by pods that were there before", (t) => {
  const given = { pods: [idle(0)], spec: wanted(3), status: { backoff: [entry({ until: at(8) })] } };
  t.is(own(given)?.failures, 1);
  t.is(creates(given), 0);
});

test("a crash is over once a pod has got ready since", (t) => {
  const crash = entry({ reason: "CrashLoopBackOff", until: at(8) });
  t.is(own({ pods: [starting(0)], spec: wanted(3), status: { backoff: [crash] } })?.failures, 1);
  t.is(own({ pods: [idle(0)], spec: wanted(3), status: { backoff: [crash] } })?.failures, 1);
  t.is(own({ pods: [idle(0, { readyChangedAt: at(-1) })], spec: wanted(3), status: { backoff: [crash] } }), undefined);
});

test("evictions without end beside pods that work still wait longer and longer", (t) => {
  const evictions = entry({ reason: "Evicted", failures: 3, until: at(-1) });
  const found = own({ pods: [idle(0), evicted(1)], spec: wanted(2), status: { backoff: [evictions] } });
  t.like(found, { failures: 4, until: at(80) });
});

test("while all that stands fails, no more are added, also after the wait", (t) => {
  const given = {
    pods: [crashing(0)],
    spec: wanted(3),
    status: { backoff: [entry({ reason: "CrashLoopBackOff", until: at(-1) })] },
  };
  t.is(creates(given), 0);
  t.like(own(given), { failures: 2, until: at(20) });
});

test("other templates' entries stay for their wait, and at most seven of them", (t) => {
  const others = (firstUntil: number) =>
    Array.from({ length: 8 }, (_, index) =>
      entry({ templateHash: `hash${index}`, until: at(index === 0 ? firstUntil : 60) }),
    );
  const kept = (firstUntil: number, given: Given) =>
    run({ ...given, status: { backoff: others(firstUntil) } }).status.backoff.map(({ templateHash }) => templateHash);
  const later = others(60)
    .slice(1)
    .map(({ templateHash }) => templateHash);
  t.deepEqual(kept(-1, {}), later);
  t.deepEqual(kept(60, { failures: [quota], spec: wanted(1) }), [...later, NEW]);
});

test("a long message is cut to what the status may hold", (t) => {
  const message = "x".repeat(10_000);
  t.is(own({ failures: [{ ...quota, message }], spec: wanted(1) })?.message.length, 4096);
});

test("the status it writes is one that it can read", (t) => {
  const { status } = run({ failures: [quota], pods: [crashing(0), evicted(1)], spec: wanted(3) });
  const read: Observation = observed({ status });
  t.deepEqual(read.pool.status, status);
});
