import test from "ava";
import { type Changes, fewestAllowed, mostAllowed, withChange } from "../../../operator/decide/policies.ts";
import type { ScalingPolicies } from "../../../operator/workerpool/types.ts";
import { at, NOW } from "./observed.ts";

type Policy = ScalingPolicies["policies"][number];
const pods = (value: number, periodSeconds = 60): Policy => ({ type: "Pods", value, periodSeconds });
const percent = (value: number, periodSeconds = 60): Policy => ({ type: "Percent", value, periodSeconds });
const changes = (...list: [second: number, change: number][]): Changes =>
  list.map(([second, change]) => ({ at: at(second), change }));

const cases: {
  of: string;
  policies: Policy[];
  select?: ScalingPolicies["selectPolicy"];
  current: number;
  before?: Changes;
  most: number;
  fewest: number;
}[] = [
  { of: "pods", policies: [pods(4)], current: 10, most: 14, fewest: 6 },
  { of: "percent", policies: [percent(50)], current: 10, most: 15, fewest: 5 },
  { of: "percent, rounded up", policies: [percent(10)], current: 11, most: 13, fewest: 9 },
  { of: "percent of one", policies: [percent(100)], current: 1, most: 2, fewest: 0 },
  { of: "percent of none gets off the ground", policies: [percent(100)], current: 0, most: 1, fewest: 0 },
  { of: "never below none", policies: [pods(4)], current: 3, most: 7, fewest: 0 },
  { of: "the one that allows most", policies: [pods(4), percent(100)], current: 10, most: 20, fewest: 0 },
  {
    of: "the one that allows least",
    policies: [pods(4), percent(100)],
    select: "Min",
    current: 10,
    most: 14,
    fewest: 6,
  },
  { of: "never this way", policies: [pods(4)], select: "Disabled", current: 10, most: 10, fewest: 10 },
  {
    of: "what was added lately counts",
    policies: [pods(4)],
    current: 13,
    before: changes([-30, 3]),
    most: 14,
    fewest: 6,
  },
  { of: "all used up", policies: [pods(4)], current: 14, before: changes([-30, 3], [-10, 1]), most: 14, fewest: 6 },
  {
    of: "used up by more than is allowed now",
    policies: [pods(4)],
    current: 20,
    before: changes([-30, 10]),
    most: 20,
    fewest: 6,
  },
  {
    of: "what was taken away lately counts",
    policies: [pods(4)],
    current: 7,
    before: changes([-30, -3]),
    most: 14,
    fewest: 6,
  },
  {
    of: "what is older than the period does not",
    policies: [pods(4)],
    current: 10,
    before: changes([-60, 9]),
    most: 14,
    fewest: 6,
  },
  {
    of: "each policy has its own period",
    policies: [pods(4, 15), pods(10, 300)],
    select: "Min",
    current: 19,
    before: changes([-100, 9]),
    most: 20,
    fewest: 15,
  },
  {
    of: "percent of what there was when the period began",
    policies: [percent(100)],
    current: 6,
    before: changes([-20, 2]),
    most: 8,
    fewest: 0,
  },
];
for (const { of, policies, select = "Max", current, before = [], most, fewest } of cases) {
  test(`policies: ${of}`, (t) => {
    const given = { stabilizationWindowSeconds: 0, selectPolicy: select, policies };
    t.is(mostAllowed(given, current, before, NOW), most);
    t.is(fewestAllowed(given, current, before, NOW), fewest);
  });
}

test("changes that no policy can ask for any more are forgotten with the next one", (t) => {
  const before = changes([-1801, 5], [-1800, 2], [-20, 1]);
  t.deepEqual(withChange(before, -3, NOW), changes([-1800, 2], [-20, 1], [0, -3]));
});

test("at most 64 are kept: the oldest are counted together, at the younger one's time", (t) => {
  let list: Changes = [];
  for (let second = -70; second < 0; second += 1) list = withChange(list, 1, at(second));
  t.is(list.length, 64);
  t.is(
    list.reduce((sum, { change }) => sum + change, 0),
    70,
  );
  t.deepEqual(list[0], { at: at(-64), change: 7 });
});
