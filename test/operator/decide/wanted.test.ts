import test from "ava";
import fc from "fast-check";
import { readDemand } from "../../../operator/decide/demand.ts";
import { wantedPods } from "../../../operator/decide/wanted.ts";
import { observed, type Spec, waiting } from "./observed.ts";

type Organization = [chunks: number, seconds: number];

function wanted(organizations: Organization[], scaling: NonNullable<Spec["scaling"]> = {}, speed = 10) {
  const observation = observed({ demand: waiting(...organizations), spec: { scaling } });
  const demand = readDemand(observation);
  if (!demand.known) throw new Error("demand is known in these tests");
  return wantedPods(demand.demand, observation.pool.spec.scaling, speed);
}

/** Where not said otherwise: a slot a pod, 30 s of wait, speed 10, so a pod does 300 s within the wait. */
const cases: {
  of: string;
  organizations: Organization[];
  scaling?: NonNullable<Spec["scaling"]>;
  speed?: number;
  bySlots: number;
  bySeconds: number;
  pods: number;
}[] = [
  { of: "nothing", organizations: [], bySlots: 0, bySeconds: 0, pods: 0 },
  { of: "one small chunk", organizations: [[1, 5]], bySlots: 1, bySeconds: 1, pods: 1 },
  { of: "ten full chunks", organizations: [[10, 3000]], bySlots: 10, bySeconds: 10, pods: 10 },
  {
    of: "ten small chunks: one pod does them in the wait",
    organizations: [[10, 300]],
    bySlots: 10,
    bySeconds: 1,
    pods: 1,
  },
  { of: "one second more than a pod does in the wait", organizations: [[10, 301]], bySlots: 10, bySeconds: 2, pods: 2 },
  {
    of: "one chunk longer than the wait: it has one slot",
    organizations: [[1, 9000]],
    bySlots: 1,
    bySeconds: 1,
    pods: 1,
  },
  {
    of: "one organization with ten hours thirty-two times",
    organizations: [[3840, 1_152_000]],
    bySlots: 32,
    bySeconds: 32,
    pods: 32,
  },
  {
    of: "two such",
    organizations: [
      [3840, 1_152_000],
      [3840, 1_152_000],
    ],
    bySlots: 64,
    bySeconds: 64,
    pods: 64,
  },
  {
    of: "such a one beside a minute's file",
    organizations: [
      [3840, 1_152_000],
      [1, 60],
    ],
    bySlots: 33,
    bySeconds: 33,
    pods: 33,
  },
  {
    of: "a long chunk of one beside small ones of another",
    organizations: [
      [1, 300],
      [32, 32],
    ],
    bySlots: 33,
    bySeconds: 2,
    pods: 2,
  },
  {
    of: "four slots a pod",
    organizations: [[10, 3000]],
    scaling: { slotsPerPod: 4 },
    bySlots: 3,
    bySeconds: 3,
    pods: 3,
  },
  {
    of: "more wait, fewer pods",
    organizations: [[10, 3000]],
    scaling: { targetWaitSeconds: 120 },
    bySlots: 10,
    bySeconds: 3,
    pods: 3,
  },
  {
    of: "less wait, but no more than slots",
    organizations: [[10, 3000]],
    scaling: { targetWaitSeconds: 1 },
    bySlots: 10,
    bySeconds: 10,
    pods: 10,
  },
  { of: "faster, fewer", organizations: [[10, 3000]], speed: 60, bySlots: 10, bySeconds: 2, pods: 2 },
  {
    of: "slower, but no more than slots",
    organizations: [[10, 3000]],
    speed: 0.5,
    bySlots: 10,
    bySeconds: 10,
    pods: 10,
  },
  {
    of: "a smaller share for each organization",
    organizations: [
      [10, 3000],
      [2, 600],
    ],
    scaling: { organizationSlots: 4 },
    bySlots: 6,
    bySeconds: 6,
    pods: 6,
  },
  { of: "chunks whose seconds are not known", organizations: [[3, 0]], bySlots: 3, bySeconds: 0, pods: 1 },
  { of: "seconds that are not cut into chunks", organizations: [[0, 3600]], bySlots: 1, bySeconds: 1, pods: 1 },
];
for (const { of, organizations, scaling, speed, ...expected } of cases) {
  test(`wanted: ${of}`, (t) => {
    const { bySlots, bySeconds, pods } = wanted(organizations, scaling, speed);
    t.deepEqual({ bySlots, bySeconds, pods }, expected);
  });
}

test("an organization without a slot to use still gets one pod for what it has", (t) => {
  const observation = observed({ demand: waiting([5, 500]) });
  const [organization] = observation.demand?.organizations ?? [];
  if (organization) organization.speechSlots = 0;
  const demand = readDemand(observation);
  t.is(demand.known && wantedPods(demand.demand, observation.pool.spec.scaling, 10).pods, 1);
});

test("a sum that floating point makes a hair too large is no further pod", (t) => {
  // 0.1 + 0.2 is 0.30000000000000004; at speed 0.01 and a wait of 30 s a slot does 0.3 s.
  t.is(
    wanted(
      [
        [1, 0.1],
        [1, 0.2],
      ],
      {},
      0.01,
    ).bySeconds,
    1,
  );
});

const organizations = fc.array(
  fc.tuple(fc.nat(5000), fc.double({ min: 0, max: 1e6, noNaN: true })) as fc.Arbitrary<Organization>,
  { maxLength: 8 },
);
const scaling = fc.record({
  slotsPerPod: fc.integer({ min: 1, max: 16 }),
  targetWaitSeconds: fc.integer({ min: 1, max: 600 }),
  organizationSlots: fc.integer({ min: 1, max: 64 }),
});
const speeds = fc.double({ min: 0.01, max: 1000, noNaN: true });

test("more work never wants fewer pods", (t) => {
  fc.assert(
    fc.property(
      organizations,
      scaling,
      speeds,
      fc.nat(7),
      fc.nat(100),
      fc.nat(10_000),
      (before, limits, speed, which, chunks, seconds) => {
        const after = before.map(
          ([c, s], index): Organization => (index === which ? [c + chunks, s + seconds] : [c, s]),
        );
        t.true(wanted(after, limits, speed).pods >= wanted(before, limits, speed).pods);
      },
    ),
  );
});

test("one organization never wants more pods than its own slots fill", (t) => {
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      scaling,
      speeds,
      (chunks, seconds, limits, speed) => {
        const own = Math.min(32, limits.organizationSlots);
        t.true(wanted([[chunks, seconds]], limits, speed).pods <= Math.ceil(own / limits.slotsPerPod));
      },
    ),
  );
});

test("something outstanding wants at least one pod, nothing wants none", (t) => {
  fc.assert(
    fc.property(organizations, scaling, speeds, (work, limits, speed) => {
      const outstanding = work.some(([chunks, seconds]) => chunks > 0 || seconds > 0);
      t.is(wanted(work, limits, speed).pods > 0, outstanding);
    }),
  );
});
