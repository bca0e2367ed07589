import test from "ava";
import { measuredSpeed } from "../../../operator/decide/speed.ts";
import type { PodObservation } from "../../../operator/observation.ts";
import { at, busy, idle, NEW, OLD, observed, silent } from "./observed.ts";

const saying = (
  make: typeof busy,
  index: number,
  audioSecondsPerSecond: number | null,
  own: Partial<PodObservation> = {},
) => {
  const pod = make(index, own);
  return pod.worker ? { ...pod, worker: { ...pod.worker, audioSecondsPerSecond } } : pod;
};
const before = (audioSecondsPerSecond: number, seconds: number, templateHash = NEW) => ({
  speed: { templateHash, audioSecondsPerSecond, measuredAt: at(seconds) },
});
// e^(-30/120) of the old stays after 30 s.
const KEPT = Math.exp(-30 / 120);

test("what is assumed, until a pod of the template has measured", (t) => {
  t.deepEqual(measuredSpeed(observed({ spec: { assumedSpeed: 7 } })), { speed: 7 });
  t.deepEqual(measuredSpeed(observed({ spec: { assumedSpeed: 7 }, pods: [saying(busy, 0, null), silent(1)] })), {
    speed: 7,
  });
});

test("the first measurement moves it from what is assumed, by 30 seconds' weight", (t) => {
  const { speed, measured } = measuredSpeed(observed({ pods: [saying(busy, 0, 60)] }));
  const expected = Number((10 + 50 * (1 - KEPT)).toPrecision(3));
  t.is(speed, expected);
  t.deepEqual(measured, { templateHash: NEW, audioSecondsPerSecond: expected, measuredAt: at(0) });
});

test("busy pods are averaged; idle ones, silent ones and those of another template say nothing", (t) => {
  const pods = [
    saying(busy, 0, 20),
    saying(busy, 1, 40),
    saying(idle, 2, 900),
    saying(busy, 3, 900, { templateHash: OLD }),
    silent(4),
  ];
  t.is(measuredSpeed(observed({ pods, status: before(30, -60) })).speed, 30);
});

test("taken in every 30 seconds, so that the status is not written all the time", (t) => {
  const pods = [saying(busy, 0, 60)];
  const early = observed({ pods, status: before(20, -29) });
  t.deepEqual(measuredSpeed(early), { speed: 20, measured: early.pool.status.speed });
  t.not(measuredSpeed(observed({ pods, status: before(20, -30) })).speed, 20);
});

test("after minutes of the same it is the same, to half a percent", (t) => {
  let status = before(10, 0);
  for (let step = 1; step <= 40; step += 1) {
    const { measured } = measuredSpeed(observed({ now: at(step * 30), pods: [saying(busy, 0, 60)], status }));
    if (measured) status = { speed: measured };
  }
  t.true(Math.abs(status.speed.audioSecondsPerSecond - 60) <= 0.3, `${status.speed.audioSecondsPerSecond}`);
});

test("an idle pool keeps what it measured, and writes nothing", (t) => {
  const observation = observed({ pods: [saying(idle, 0, 60)], status: before(42, -86_400) });
  t.deepEqual(measuredSpeed(observation), { speed: 42, measured: observation.pool.status.speed });
});

test("another template begins at what is assumed", (t) => {
  t.deepEqual(measuredSpeed(observed({ status: before(42, -60, OLD) })), { speed: 10 });
});

test("it is never nothing: the backlog is divided by it", (t) => {
  t.true(measuredSpeed(observed({ pods: [saying(busy, 0, 1e-9)], status: before(0.001, -3600) })).speed > 0);
});
