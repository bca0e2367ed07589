import test from "ava";
import { memorySlope } from "../../../bench/asr/slope.ts";
import { Random } from "../../../eval/random.ts";

/** What 200 files leave behind: `grown` MB a file on top of 700, and garbage of up to 30 MB that goes and comes. */
function held(grown: number, { start = 0, files = 200 } = {}): number[] {
  const random = new Random(7);
  return Array.from({ length: files }, (_, i) => {
    const starting = Math.min(start, (start * i) / (files / 5));
    return 700 + starting + grown * i + (i % 18 === 0 ? 0 : 20 + 20 * random.next());
  });
}

test("garbage that comes and goes is no growth", (t) => {
  const { slope, low, high } = memorySlope(held(0));
  t.true(Math.abs(slope) < 0.5);
  t.true(low <= 0 && high >= 0);
});

test("what every file leaves behind is found, in MB per 100 files, and is beyond doubt", (t) => {
  const { slope, low, high } = memorySlope(held(0.05));
  t.true(Math.abs(slope - 5) < 1);
  t.true(low > 1 && low <= slope && slope <= high);
  t.true(Math.abs(memorySlope(held(-0.05)).slope + 5) < 1);
});

test("growing to size during the first files is left out", (t) => {
  t.true(Math.abs(memorySlope(held(0, { start: 200 })).slope) < 0.5);
});

test("few files are each a point, whose interval is wide; three points are too few", (t) => {
  t.deepEqual(memorySlope([500, 100, 101, 102, 103, 105]), { slope: 100, low: 100, high: 200 });
  t.throws(() => memorySlope([1, 2, 3]), { message: /at least 4 files/ });
});
