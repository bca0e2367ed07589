import { setImmediate } from "node:timers/promises";
import test from "ava";
import { inLanes } from "../../operator/lanes.ts";

test("items are begun in their order, so many at once and no more, each lane one at a time", async (t) => {
  const begun: number[] = [];
  const busy = new Set<number>();
  let most = 0;
  await inLanes([0, 1, 2, 3, 4, 5, 6], 3, async (item, lane) => {
    begun.push(item);
    t.false(busy.has(lane));
    busy.add(lane);
    most = Math.max(most, busy.size);
    await setImmediate();
    busy.delete(lane);
  });
  t.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6]);
  t.is(most, 3);
});

test("after a failure nothing more is begun, and it is thrown when all that was begun has ended", async (t) => {
  const ended: number[] = [];
  const work = inLanes([0, 1, 2, 3], 2, async (item) => {
    if (item === 0) throw new Error("no");
    await setImmediate();
    ended.push(item);
  });
  await t.throwsAsync(work, { message: "no" });
  t.deepEqual(ended, [1]);
});

test("no items are no work", async (t) => {
  await inLanes([], 2, async () => t.fail());
  t.pass();
});
