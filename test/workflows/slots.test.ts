import test from "ava";
import { DrainableSlots } from "../../workflows/slots.ts";

const never = new AbortController().signal;
const step = { slotInfo: { type: "activity" as const, activityType: "recognise" } };

test("grants up to its number, then waits for a release", async (t) => {
  const slots = new DrainableSlots(2);
  await slots.reserveSlot(undefined, never);
  t.truthy(slots.tryReserveSlot());
  t.is(slots.tryReserveSlot(), null);
  let granted = false;
  const third = slots.reserveSlot(undefined, never).then(() => {
    granted = true;
  });
  await Promise.resolve();
  t.false(granted);
  slots.releaseSlot({});
  await third;
  t.is(slots.held, 2);
});

test("a drain grants nothing and ends with the last permit, whether it was used or not", async (t) => {
  const slots = new DrainableSlots(3);
  await slots.reserveSlot(undefined, never);
  await slots.reserveSlot(undefined, never);
  slots.markSlotUsed();
  t.is(slots.busy, 1);
  let quiet = false;
  const drained = slots.drain().then(() => {
    quiet = true;
  });
  t.is(slots.tryReserveSlot(), null);
  slots.releaseSlot({});
  await Promise.resolve();
  t.false(quiet);
  slots.releaseSlot(step);
  await drained;
  t.is(slots.busy, 0);
  t.is(slots.held, 0);
  await slots.drain();
});

test("a reservation that is given up rejects as the SDK expects", async (t) => {
  const slots = new DrainableSlots(1);
  await slots.reserveSlot(undefined, never);
  const giveUp = new AbortController();
  const waiting = slots.reserveSlot(undefined, giveUp.signal);
  giveUp.abort();
  const error = await t.throwsAsync(waiting, { any: true });
  t.is((error as Error).name, "AbortError");
  slots.releaseSlot({});
  t.is(slots.held, 0);
});

test("resumed, it grants to who waits, and the next drain waits for its own permits", async (t) => {
  const slots = new DrainableSlots(1);
  await slots.drain();
  const waiting = slots.reserveSlot(undefined, never);
  slots.resume();
  await waiting;
  t.is(slots.held, 1);
  let quiet = false;
  const drained = slots.drain().then(() => {
    quiet = true;
  });
  await Promise.resolve();
  t.false(quiet);
  slots.resume();
  slots.releaseSlot({});
  await Promise.resolve();
  t.false(quiet);
  void slots.drain();
  await drained;
});
