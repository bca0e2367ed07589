import test from "ava";
import { readDemand } from "../../../operator/decide/demand.ts";
import { demandObservation } from "../../../operator/observation.ts";
import { at, observed, waiting } from "./observed.ts";

const queue = (outstandingChunks: number, outstandingSeconds: number, waitingSince: string | null = null) => ({
  outstandingChunks,
  outstandingSeconds,
  waitingSince,
});
const answer = (organizations: unknown[], observedAt = at(-1)) =>
  demandObservation.parse({ observedAt, organizations });

test("sums an organization's work over the pool's queues, and leaves other queues out", (t) => {
  const demand = answer([
    {
      id: "a",
      queues: {
        speech: queue(3, 600, at(-5)),
        "speech-short": queue(2, 40, at(-9)),
        media: queue(90, 9000, at(-900)),
      },
    },
    { id: "b", queues: { speech: queue(1, 100, at(-2)), language: queue(7, 0) } },
    { id: "c", queues: { media: queue(4, 400, at(-4)) } },
  ]);
  const read = readDemand(observed({ demand, spec: { queues: ["speech", "speech-short"] } }));
  t.deepEqual(read, {
    known: true,
    ageSeconds: 1,
    demand: {
      organizations: [
        { id: "a", outstandingChunks: 5, outstandingSeconds: 640, slots: 5 },
        { id: "b", outstandingChunks: 1, outstandingSeconds: 100, slots: 1 },
      ],
      outstandingChunks: 6,
      outstandingSeconds: 740,
      waitingSince: at(-9),
    },
  });
});

const caps: { of: string; speechSlots?: number; organizationSlots: number; chunks: number; slots: number }[] = [
  { of: "as many slots as chunks", organizationSlots: 32, chunks: 7, slots: 7 },
  { of: "no more than the pool gives an organization", organizationSlots: 4, chunks: 7, slots: 4 },
  { of: "no more than the API gives it", organizationSlots: 32, speechSlots: 5, chunks: 7, slots: 5 },
  { of: "the lower of the two", organizationSlots: 3, speechSlots: 5, chunks: 7, slots: 3 },
  { of: "none when it is allowed none", organizationSlots: 32, speechSlots: 0, chunks: 7, slots: 0 },
  { of: "one for seconds that are not cut into chunks yet", organizationSlots: 32, chunks: 0, slots: 1 },
];
for (const { of, speechSlots, organizationSlots, chunks, slots } of caps) {
  test(`an organization's slots: ${of}`, (t) => {
    const demand = answer([
      { id: "a", queues: { speech: queue(chunks, 60) }, ...(speechSlots !== undefined && { speechSlots }) },
    ]);
    const read = readDemand(observed({ demand, spec: { scaling: { organizationSlots } } }));
    t.is(read.known && read.demand.organizations[0]?.slots, slots);
  });
}

test("organizations without work are not counted, and nothing waits", (t) => {
  const read = readDemand(observed({ demand: waiting([0, 0], [0, 0]) }));
  t.deepEqual(read, {
    known: true,
    ageSeconds: 1,
    demand: { organizations: [], outstandingChunks: 0, outstandingSeconds: 0, waitingSince: null },
  });
});

const ages: { age: number; maxAgeSeconds?: number; said: string }[] = [
  { age: 0, said: "known" },
  { age: 30, said: "known" },
  { age: 31, said: "Stale" },
  { age: 3600, said: "Stale" },
  { age: 9, maxAgeSeconds: 10, said: "known" },
  { age: 11, maxAgeSeconds: 10, said: "Stale" },
  // Two clocks of a cluster never agree to the second.
  { age: -2, said: "known" },
  { age: -31, said: "FromTheFuture" },
];
for (const { age, maxAgeSeconds, said } of ages) {
  test(`an answer ${age} s old${maxAgeSeconds ? ` where ${maxAgeSeconds} s are allowed` : ""} is ${said}`, (t) => {
    const spec = maxAgeSeconds
      ? { demand: { url: "http://api", tokenSecret: { name: "demand" }, maxAgeSeconds } }
      : undefined;
    const read = readDemand(observed({ demand: answer([], at(-age)), spec }));
    t.is(read.known ? "known" : read.reason, said);
    t.is(read.ageSeconds, age);
  });
}

test("no answer yet, and nobody to ask, are told apart", (t) => {
  t.deepEqual(readDemand(observed({ demand: null })), { known: false, reason: "NeverAnswered", ageSeconds: null });
  const manual = observed({ demand: null });
  delete manual.pool.spec.demand;
  t.deepEqual(readDemand(manual), { known: false, reason: "NotConfigured", ageSeconds: null });
});
