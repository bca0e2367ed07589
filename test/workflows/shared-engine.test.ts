import test from "ava";
import fc from "fast-check";
import { SAMPLE_RATE } from "../../speech/types.ts";
import { shareEngine } from "../../workflows/activities/shared-engine.ts";
import { DoubleEngine, planOf } from "./doubles.ts";

const pcm = { path: "", offset: 0, length: 0 };
const windows = planOf(1, 4).chunks[0]?.windows ?? [];
const only = (index: number) => windows.filter((window) => window.index === index);
const onWindow = () => undefined;
const never = new AbortController().signal;
const share = { key: "organization", weight: 1 };

test("one call at a time; short recordings go before long ones that wait", async (t) => {
  const gate = Promise.withResolvers<void>();
  const engine = new DoubleEngine(({ index }) => (index === 0 ? gate.promise : Promise.resolve()));
  const shared = shareEngine(engine, 2);
  const call = (index: number, short: boolean) =>
    shared.recognise(
      { pcm, windows: only(index), language: "es", short },
      { onWindow, onProgress: () => undefined, signal: never, share },
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
      { onWindow, onProgress: () => order.push(name), signal: never, share },
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
      { onWindow, onProgress: () => undefined, signal, share },
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

test("batches are a call's own windows, as long as the engine's", async (t) => {
  const engine = new DoubleEngine();
  const shared = shareEngine(engine, 3);
  const call = (key: string) =>
    shared.recognise(
      { pcm, windows, language: "es", short: false },
      { onWindow, onProgress: () => undefined, signal: never, share: { key, weight: 1 } },
    );
  await Promise.all([call("one"), call("other")]);
  t.deepEqual(engine.calls.map((batch) => batch.join()).toSorted(), ["0,1,2", "0,1,2", "3", "3"]);
});

/** Windows of 30 s, so that a batch of two is a quantum. */
const full = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, spans: [{ start: 0, end: 30 * SAMPLE_RATE }] }));

test("an organization with many chunks gets no more of the engine than one with a single one", async (t) => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const shared = shareEngine(new DoubleEngine(() => gate.promise), 2);
  const call = (key: string, weight = 1) =>
    shared.recognise(
      { pcm, windows: full(6), language: "es", short: false },
      {
        onWindow: ({ index }) => index % 2 || order.push(key),
        onProgress: () => undefined,
        signal: never,
        share: { key, weight },
      },
    );
  const calls = [call("many"), call("many"), call("many"), call("single"), call("economy", 0.25)];
  gate.resolve();
  await Promise.all(calls);
  t.is(order.length, 15);
  // In turns until the single one is done; the economy key has one batch to their four.
  t.is(order.slice(0, 6).filter((key) => key === "single").length, 3);
  t.is(order.indexOf("economy") > 4, true);
});

test("a long recording's batches may be shorter, so that a short one waits less", async (t) => {
  const engine = new DoubleEngine();
  const shared = shareEngine(engine, 4, { longBatch: 2 });
  for (const short of [false, true]) {
    const options = { onWindow, onProgress: () => undefined, signal: never, share };
    await shared.recognise({ pcm, windows: full(4), language: "es", short }, options);
  }
  t.deepEqual(engine.calls, [
    [0, 1],
    [2, 3],
    [0, 1, 2, 3],
  ]);
});

test("whatever comes in whatever order, each call hears its windows once, in order, one batch at a time", async (t) => {
  const calls = fc.array(
    fc.record({
      key: fc.constantFrom("a", "b", "c"),
      weight: fc.constantFrom(1, 0.25),
      windows: fc.integer({ min: 1, max: 7 }),
      short: fc.boolean(),
      cancelled: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 4 }),
      fails: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 3 }), async (wanted, batch) => {
      let at = 0;
      let under = 0;
      const engine = new DoubleEngine(async (_, { signal }) => {
        under += 1;
        if (under > 1) throw new Error("two batches at a time");
        await Promise.resolve();
        under -= 1;
        signal?.throwIfAborted();
      });
      const shared = shareEngine(engine, batch, { now: () => at++ });
      const ends = await Promise.allSettled(
        wanted.map(async ({ windows, short, cancelled, fails, ...share }) => {
          const heard: number[] = [];
          const cancel = new AbortController();
          const hear = ({ index }: { index: number }) => {
            heard.push(index);
            if (index === cancelled) cancel.abort(new Error("cancelled"));
            if (index === fails) throw new Error("failed");
          };
          await shared
            .recognise(
              { pcm, windows: full(windows), language: "es", short },
              { onWindow: hear, onProgress: () => undefined, signal: cancel.signal, share },
            )
            .catch((error: Error) => {
              if (!/^(cancelled|failed)$/.test(error.message)) throw error;
              return heard;
            });
          const most = Math.min(windows, ...[cancelled, fails].map((it) => (it === undefined ? 9 : it + batch)));
          t.deepEqual(heard, [...heard.keys()]);
          t.true(heard.length <= most && (heard.length === windows || most < 9 + batch));
        }),
      );
      for (const end of ends) if (end.status === "rejected") throw end.reason;
      // Nobody is left waiting: the engine answers the next call.
      await shared.identify({ pcm, windows, hints: [] }, { onProgress: () => undefined, signal: never, share });
    }),
    { numRuns: 300 },
  );
});
