import test from "ava";
import { Speed } from "../../workflows/speed.ts";

test("nothing measured is null, not zero", (t) => {
  const speed = new Speed(2);
  t.is(speed.perSlot, null);
  speed.measured(0, 4);
  t.is(speed.perSlot, null);
});

test("a device's speed is shared by its slots, and work without audio slows it", (t) => {
  const speed = new Speed(3);
  speed.measured(300, 5);
  t.is(speed.perSlot, 20);
  speed.measured(0, 5);
  t.true(Math.abs((speed.perSlot ?? 0) - 10) < 0.2);
});

test("newer work weighs more: after a change of speed the average follows", (t) => {
  const speed = new Speed(1);
  for (let chunk = 0; chunk < 100; chunk += 1) speed.measured(300, 5);
  t.true(Math.abs((speed.perSlot ?? 0) - 60) < 1e-9);
  for (let chunk = 0; chunk < 60; chunk += 1) speed.measured(300, 10);
  const half = speed.perSlot ?? 0;
  t.true(half < 40 && half > 30);
  for (let chunk = 0; chunk < 300; chunk += 1) speed.measured(300, 10);
  t.true(Math.abs((speed.perSlot ?? 0) - 30) < 0.1);
});
