import test from "ava";
import fc from "fast-check";
import { type Levels, stabilise } from "../../../operator/decide/window.ts";
import { at } from "./observed.ts";

/** Goes through [second, wanted] with a count that follows what is allowed, and tells that count after each. */
function follow(start: number, windowSeconds: number, steps: [second: number, wanted: number][]): number[] {
  let current = start;
  let levels: Levels = [];
  return steps.map(([second, wanted]) => {
    const result = stabilise(levels, { current, wanted, windowSeconds, now: at(second) });
    levels = result.levels;
    current = result.allowed;
    return current;
  });
}

const histories: { of: string; start: number; window: number; steps: [number, number][]; counts: number[] }[] = [
  {
    of: "without a window goes at once",
    start: 8,
    window: 0,
    steps: [
      [0, 2],
      [1, 9],
    ],
    counts: [2, 9],
  },
  {
    of: "waits the window out",
    start: 8,
    window: 120,
    steps: [
      [0, 2],
      [119, 2],
      [120, 2],
    ],
    counts: [8, 8, 2],
  },
  {
    of: "goes only as far as was wanted all the time",
    start: 8,
    window: 120,
    steps: [
      [0, 5],
      [60, 2],
      [120, 2],
      [180, 2],
    ],
    counts: [8, 8, 5, 2],
  },
  {
    of: "a moment of more begins the window anew",
    start: 8,
    window: 120,
    steps: [
      [0, 2],
      [119, 8],
      [120, 2],
      [239, 2],
      [240, 2],
    ],
    counts: [8, 8, 8, 8, 2],
  },
  {
    of: "a moment of a little more holds that level alone",
    start: 8,
    window: 120,
    steps: [
      [0, 2],
      [100, 5],
      [110, 2],
      [120, 2],
      [230, 2],
    ],
    counts: [8, 8, 8, 5, 2],
  },
  {
    of: "works upwards too",
    start: 2,
    window: 30,
    steps: [
      [0, 9],
      [10, 5],
      [30, 9],
      [39, 9],
      [40, 9],
    ],
    counts: [2, 2, 5, 5, 5],
  },
  {
    of: "forgets a way down once it is not wanted",
    start: 8,
    window: 60,
    steps: [
      [0, 4],
      [30, 9],
      [61, 4],
    ],
    counts: [8, 8, 8],
  },
];
for (const { of, start, window, steps, counts } of histories) {
  test(`the window ${of}`, (t) => {
    t.deepEqual(follow(start, window, steps), counts);
  });
}

test("nothing is remembered of a pool that stays as it is", (t) => {
  t.deepEqual(stabilise([], { current: 3, wanted: 3, windowSeconds: 60, now: at(0) }), {
    allowed: 3,
    levels: [],
    until: null,
  });
});

test("what is remembered changes with demand only, not with time", (t) => {
  const first = stabilise([], { current: 8, wanted: 2, windowSeconds: 60, now: at(0) });
  const second = stabilise(first.levels, { current: 8, wanted: 2, windowSeconds: 60, now: at(2) });
  t.deepEqual(second.levels, first.levels);
  t.is(second.until, at(60));
});

test("it is a sliding maximum: never below what was wanted at any time within the window", (t) => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat(12)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 200 }), (gaps, window) => {
      let second = 0;
      const history = gaps.map(([gap, wanted]): [number, number] => {
        second += gap;
        return [second, wanted];
      });
      let current = 12;
      let levels: Levels = [];
      for (const [index, [now, wanted]] of history.entries()) {
        const down = stabilise(levels, {
          current,
          wanted: Math.min(wanted, current),
          windowSeconds: window,
          now: at(now),
        });
        levels = down.levels;
        const within = history.slice(0, index + 1).filter(([then]) => then > now - window);
        const highest = Math.max(...within.map(([, count]) => count));
        // Before a whole window has been seen, nothing goes down.
        if (down.allowed < current) t.true(down.allowed >= Math.min(highest, current));
        current = Math.max(down.allowed, Math.min(wanted, 12));
      }
    }),
  );
});

test("a pool that swings through many counts remembers 32 levels at most, and is held rather than let go", (t) => {
  let levels: Levels = [];
  for (let step = 0; step < 100; step += 1)
    levels = stabilise(levels, { current: 200, wanted: 150 - step, windowSeconds: 1000, now: at(step) }).levels;
  t.is(levels.length, 32);
  t.deepEqual(levels.at(-1), { replicas: 51, since: at(99) });
  t.is(stabilise(levels, { current: 200, wanted: 51, windowSeconds: 1000, now: at(1000) }).allowed, 150);
});
