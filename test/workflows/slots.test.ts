import test from "ava";
import { DrainableSlots } from "../../workflows/slots.ts";

const never = new AbortController().signal;
const slotInfo = { type: "activity" as const, activityType: "recognise" };

test("grants up to its number, then waits for a release", async (t) => {
  const slots = new DrainableSlots(2);
  const permit = await slots.reserveSlot(undefined, never);
  t.truthy(slots.tryReserveSlot());
  t.is(slots.tryReserveSlot(), null);
  let granted = false;
  const third = slots.reserveSlot(undefined, never).then(() => {
    granted = true;
  });
  await Promise.resolve();
  t.false(granted);
  slots.releaseSlot({ permit });
  await third;
  t.is(slots.held, 2);
});

test("a drain grants nothing and ends with the last permit, whether it was used or not", async (t) => {
  const slots = new DrainableSlots(3);
  const permit = await slots.reserveSlot(undefined, never);
  const used = await slots.reserveSlot(undefined, never);
  slots.markSlotUsed({ permit: used });
  t.is(slots.busy, 1);
  let quiet = false;
  const drained = slots.drain().then(() => {
    quiet = true;
  });
  t.is(slots.tryReserveSlot(), null);
  slots.releaseSlot({ permit });
  await Promise.resolve();
  t.false(quiet);
  slots.releaseSlot({ permit: used, slotInfo });
  await drained;
  t.is(slots.busy, 0);
  t.is(slots.held, 0);
  await slots.drain();
});

test("a reservation that is given up rejects as the SDK expects", async (t) => {
  const slots = new DrainableSlots(1);
  const permit = await slots.reserveSlot(undefined, never);
  const giveUp = new AbortController();
  const waiting = slots.reserveSlot(undefined, giveUp.signal);
  giveUp.abort();
  const error = await t.throwsAsync(waiting, { any: true });
  t.is((error as Error).name, "AbortError");
  slots.releaseSlot({ permit });
  t.is(slots.held, 0);
});

test("resumed, it grants to who waits, and the next drain waits for its own permits", async (t) => {
  const slots = new DrainableSlots(1);
  await slots.drain();
  const waiting = slots.reserveSlot(undefined, never);
  slots.resume();
  const permit = await waiting;
  t.is(slots.held, 1);
  let quiet = false;
  const drained = slots.drain().then(() => {
    quiet = true;
  });
  await Promise.resolve();
  t.false(quiet);
  slots.resume();
  slots.releaseSlot({ permit });
  await Promise.resolve();
  t.false(quiet);
  void slots.drain();
  await drained;
});

test("no more permits wait for a task than there are polls, however many slots are free", async (t) => {
  const slots = new DrainableSlots(8, 2);
  const permits = [await slots.reserveSlot(undefined, never), await slots.reserveSlot(undefined, never)];
  let granted = 0;
  const next = () =>
    slots.reserveSlot(undefined, never).then((permit) => {
      granted += 1;
      return permit;
    });
  const third = next();
  await Promise.resolve();
  t.is(granted, 0);
  // Who finishes a workflow task is given its steps at once, whatever polls are out.
  const eager = slots.tryReserveSlot();
  t.is(slots.held, 3);
  slots.markSlotUsed({ permit: permits[0] as object });
  await third;
  t.is(slots.held, 4);
  const fourth = next();
  slots.markSlotUsed({ permit: eager as object });
  await Promise.resolve();
  t.is(granted, 1);
  slots.releaseSlot({ permit: permits[1] as object });
  await fourth;
  t.is(granted, 2);
  t.is(slots.held, 4);
  t.is(slots.busy, 2);
});

test("a drain that begins while polls are out is not followed by another poll", async (t) => {
  const slots = new DrainableSlots(8, 1);
  const permit = await slots.reserveSlot(undefined, never);
  let granted = false;
  void slots.reserveSlot(undefined, never).then(() => {
    granted = true;
  });
  const drained = slots.drain();
  slots.releaseSlot({ permit });
  await drained;
  await new Promise((resolve) => setImmediate(resolve));
  t.false(granted);
  t.is(slots.held, 0);
});
