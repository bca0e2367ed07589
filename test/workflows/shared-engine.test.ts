import test from "ava";
import { shareEngine } from "../../workflows/activities/shared-engine.ts";
import { DoubleEngine, planOf } from "./doubles.ts";

const pcm = { path: "", offset: 0, length: 0 };
const windows = planOf(1, 4).chunks[0]?.windows ?? [];
const only = (index: number) => windows.filter((window) => window.index === index);
const onWindow = () => undefined;
const never = new AbortController().signal;

test("one call at a time; short recordings go before long ones that wait", async (t) => {
  const gate = Promise.withResolvers<void>();
  const engine = new DoubleEngine(({ index }) => (index === 0 ? gate.promise : Promise.resolve()));
  const shared = shareEngine(engine, 2);
  const call = (index: number, short: boolean) =>
    shared.recognise(
      { pcm, windows: only(index), language: "es", short },
      { onWindow, onProgress: () => undefined, signal: never },
    );
  const calls = [call(0, false), call(1, false), call(2, false), call(3, true)];
  gate.resolve();
  await Promise.all(calls);
  t.deepEqual(engine.heard, [0, 3, 1, 2]);
});

test("a call that waits is alive as long as the one before it makes progress", async (t) => {
  const shared = shareEngine(new DoubleEngine(), 2);
  const order: string[] = [];
  const call = (name: string, indexes: number[]) =>
    shared.recognise(
      { pcm, windows: indexes.flatMap(only), language: "es", short: false },
      { onWindow, onProgress: () => order.push(name), signal: never },
    );
  await Promise.all([call("first", [0, 1]), call("second", [2])]);
  t.deepEqual(order, ["first", "second", "first", "second", "second"]);
});

test("a call that is cancelled while it waits leaves the queue; a failed one gives its turn on", async (t) => {
  const gate = Promise.withResolvers<void>();
  const engine = new DoubleEngine(async ({ index }) => {
    if (index !== 0) return;
    await gate.promise;
    throw new Error("broken");
  });
  const shared = shareEngine(engine, 2);
  const cancel = new AbortController();
  const call = (index: number, signal: AbortSignal) =>
    shared.recognise(
      { pcm, windows: only(index), language: "es", short: false },
      { onWindow, onProgress: () => undefined, signal },
    );
  const failing = call(0, never);
  const cancelled = call(1, cancel.signal);
  const last = call(2, never);
  cancel.abort(new Error("deleted"));
  await t.throwsAsync(cancelled, { message: "deleted" });
  gate.resolve();
  await t.throwsAsync(failing, { message: "broken" });
  await last;
  t.deepEqual(engine.heard, [2]);
});
