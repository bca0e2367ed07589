import anyTest, { type TestFn } from "ava";
import fc from "fast-check";
import { UpstreamRefused, UpstreamUnavailable } from "../../upstream/errors.ts";
import { breaks, fails, hangs, type Script, says, stream } from "./double.ts";
import { all, startUpstream, textOf, type UpstreamHarness } from "./harness.ts";

const test = anyTest as TestFn<UpstreamHarness>;
test.beforeEach(async (t) => {
  t.context = await startUpstream();
});
test.afterEach.always((t) => t.context.stop());

const SILENCE = 120_000;

/** Turns the clock to the end of each wait; answers how long they were. */
async function turn({ clock, double }: UpstreamHarness, tries: number): Promise<number[]> {
  const waits: number[] = [];
  for (let i = 1; i < tries; i += 1) {
    await double.arrived(i);
    const wait = await clock.set((ms) => ms < SILENCE);
    waits.push(wait);
    clock.advance(wait);
  }
  await double.arrived(tries);
  return waits;
}

for (const [what, fault] of [
  ["500", fails(500)],
  ["503", fails(503)],
  ["429", fails(429)],
  ["a connection that breaks", breaks],
  ["a page of a proxy instead of a stream", fails(200, { status: "loading" })],
  ["an empty answer", ({ response }) => stream(response).end()],
] as [string, Script][]) {
  test(`${what}, then 200: asked again, after a wait`, async (t) => {
    const { double, chat, metric } = t.context;
    double.answer(fault, says("uno"));
    const answer = chat();
    t.deepEqual(await turn(t.context, 2), [750]);
    t.is(textOf(await all(await answer)), "uno");
    t.is(await metric("escriba_upstream_retries_total"), 1);
    t.is(await metric("escriba_upstream_requests_total", { outcome: "ok" }), 1);
  });
}

test("a server that is not there is unavailable after four tries", async (t) => {
  const { double, clock, client } = t.context;
  await double.stop();
  const answer = client.chat(
    { messages: [], maxTokens: 1, reasoningEffort: "none", json: false },
    { signal: new AbortController().signal },
  );
  for (let i = 0; i < 3; i += 1) clock.advance(await clock.set((ms) => ms < SILENCE));
  await t.throwsAsync(answer, { instanceOf: UpstreamUnavailable, message: /network/ });
});

for (const [random, waits] of [
  [0, [500, 1_000, 2_000]],
  [0.5, [750, 1_500, 3_000]],
  [1, [1_000, 2_000, 4_000]],
] as const) {
  test(`at most three more tries, after growing waits; with ${random} as random ${waits} ms`, async (t) => {
    const { double, chat, metric } = t.context;
    t.context.random.value = random;
    double.answer(fails(500));
    const answer = chat();
    t.deepEqual(await turn(t.context, 4), [...waits]);
    await t.throwsAsync(answer, { instanceOf: UpstreamUnavailable, message: /server_error/ });
    t.is(double.seen.length, 4);
    t.is(await metric("escriba_upstream_requests_total", { outcome: "unavailable" }), 1);
    t.deepEqual(t.context.clock.pending, []);
  });
}

test("120 s without a first byte end a try, and close its connection", async (t) => {
  const { double, chat, clock } = t.context;
  double.answer(hangs, ({ response }) => void stream(response), says("uno"));
  const answer = chat();
  for (const tries of [1, 2]) {
    const { closed } = await double.arrived(tries);
    await clock.set((ms) => ms === SILENCE);
    clock.advance(SILENCE - 1);
    t.is(clock.pending[0], 1, "not a moment earlier, headers or not");
    clock.advance(1);
    await closed;
    clock.advance(await clock.set((ms) => ms < SILENCE));
  }
  t.is(textOf(await all(await answer)), "uno");
  t.is(double.seen.length, 3);
});

test("tries and waits together stay under nine minutes, whatever the upstream does", async (t) => {
  const faults = fc.array(
    fc.record({ hangs: fc.boolean(), status: fc.constantFrom(429, 500, 503), after: fc.integer({ min: 0, max: 30 }) }),
    { minLength: 4, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(faults, fc.double({ min: 0, max: 1, noNaN: true }), async (all, random) => {
      const harness = await startUpstream();
      harness.random.value = random;
      harness.double.answer(
        ...all.map((one) => (one.hangs ? hangs : fails(one.status, {}, { "Retry-After": String(one.after) }))),
      );
      let over = false;
      const answer = harness.chat().catch((error: unknown) => error);
      void answer.then(() => {
        over = true;
      });
      while (!over) {
        const [next] = harness.clock.pending;
        // The watch of a try that is being answered is not turned: only that of one that hangs.
        const trying = all[harness.double.seen.length - 1];
        if (next !== undefined && (next < SILENCE || trying?.hangs)) harness.clock.advance(next);
        await new Promise(setImmediate);
      }
      t.true((await answer) instanceof UpstreamUnavailable);
      t.true(harness.clock.now() < 540_000);
      await harness.stop();
    }),
    { numRuns: 20 },
  );
});

test("Retry-After is waited for; more than 15 s of it is left to the client", async (t) => {
  const { double, chat } = t.context;
  double.answer(fails(429, {}, { "Retry-After": "12" }), fails(503, {}, { "Retry-After": "1" }), says("uno"));
  const answer = chat();
  t.deepEqual(await turn(t.context, 3), [12_000, 1_500]);
  await all(await answer);
  double.answer(fails(429, {}, { "Retry-After": "16" }));
  await t.throwsAsync(chat(), { instanceOf: UpstreamUnavailable, message: /overloaded/ });
  const error = await chat().catch((thrown: UpstreamUnavailable) => thrown);
  t.is((error as UpstreamUnavailable).retryAfterMs, 16_000);
  t.is(double.seen.length, 5);
});

for (const [status, instanceOf, message] of [
  [400, UpstreamRefused, /other/],
  [422, UpstreamRefused, /other/],
  [401, UpstreamUnavailable, /misconfigured/],
  [403, UpstreamUnavailable, /misconfigured/],
  [404, UpstreamUnavailable, /misconfigured/],
  [302, UpstreamUnavailable, /misconfigured/],
] as const) {
  test(`${status} is not tried again: ${message}`, async (t) => {
    t.context.double.answer(
      fails(status, { error: { message: "the caller said: hola" } }, { Location: "http://127.0.0.1/" }),
    );
    const error = (await t.context.chat().catch((thrown: unknown) => thrown)) as Error;
    t.true(error instanceof instanceOf);
    t.regex(error.message, message);
    t.false(error.message.includes("hola"));
    t.is(t.context.double.seen.length, 1);
    t.deepEqual(t.context.clock.pending, []);
  });
}

test("a first event that is no chunk is not tried again: the first byte has come", async (t) => {
  const { double, chat } = t.context;
  for (const event of [`data: {"error":{"message":"no GPU"}}\n\n`, "data: {\n\n", "data: [DONE]\n\n"]) {
    double.answer(({ response }) => stream(response).end(event));
    await t.throwsAsync(chat(), { instanceOf: UpstreamUnavailable });
  }
  t.is(double.seen.length, 3);
  double.answer(({ response }) => stream(response).end(`data: {"error":{"code":"context_length_exceeded"}}\n\n`));
  await t.throwsAsync(chat(), { instanceOf: UpstreamRefused, message: /context_length/ });
});

test("an abort during a wait ends it: nothing is asked again", async (t) => {
  const { double, chat, clock } = t.context;
  double.answer(fails(500));
  const caller = new AbortController();
  const answer = chat({ signal: caller.signal });
  await double.arrived(1);
  await clock.set((ms) => ms < SILENCE);
  caller.abort(new Error("the client left"));
  await t.throwsAsync(answer, { message: "the client left" });
  t.deepEqual(clock.pending, []);
  await t.throwsAsync(chat({ signal: caller.signal }), { message: "the client left" });
  t.is(double.seen.length, 1);
});
