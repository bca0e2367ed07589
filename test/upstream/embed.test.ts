import anyTest, { type TestFn } from "ava";
import { UpstreamUnavailable } from "../../upstream/errors.ts";
import type { Script } from "./double.ts";
import { fails } from "./double.ts";
import { startUpstream, type UpstreamHarness } from "./harness.ts";

const test = anyTest as TestFn<UpstreamHarness>;
test.beforeEach(async (t) => {
  t.context = await startUpstream();
});
test.afterEach.always((t) => t.context.stop());

const signal = new AbortController().signal;
const answers = (body: unknown): Script => fails(200, body as object);
const vector = (index: number | undefined, embedding: unknown = [index, 1]) => ({
  object: "embedding",
  index,
  embedding,
});

test("floats are asked for, and dimensions only when they are given", async (t) => {
  const { double, client } = t.context;
  double.answer(answers({ data: [vector(0)], usage: { prompt_tokens: 3, total_tokens: 3 } }));
  t.deepEqual(await client.embed({ input: ["a"] }, { signal }), { vectors: [[0, 1]], promptTokens: 3 });
  await client.embed({ input: ["a"], dimensions: 2 }, { signal });
  const [plain, cut] = double.seen;
  t.is(plain?.path, "/v1/embeddings");
  t.deepEqual(plain?.body, { model: "theirs", input: ["a"], encoding_format: "float" });
  t.is(cut?.body.dimensions, 2);
});

test("vectors are put in the order of the input; without indexes they are in it already; usage may be missing", async (t) => {
  const { double, client } = t.context;
  double.answer(answers({ data: [vector(2), vector(0), vector(1)] }));
  const input = ["a", "b", "c"];
  t.deepEqual(await client.embed({ input }, { signal }), {
    vectors: [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
    promptTokens: null,
  });
  double.answer(answers({ data: [1, 2, 3].map((n) => vector(undefined, [n])), usage: null }));
  t.deepEqual((await client.embed({ input }, { signal })).vectors, [[1], [2], [3]]);
});

for (const [what, body] of [
  ["one vector too few", { data: [vector(0)] }],
  ["one too many", { data: [vector(0), vector(1), vector(2)] }],
  ["an index twice", { data: [vector(0), vector(0)] }],
  ["an index outside", { data: [vector(0), vector(2)] }],
  ["half an index", { data: [vector(0), vector(0.5)] }],
  ["a vector of text", { data: [vector(0), vector(1, "AAAA")] }],
  ["a vector with a hole", { data: [vector(0), vector(1, [1, null])] }],
  ["an empty vector", { data: [vector(0), vector(1, [])] }],
  ["no data", { object: "list" }],
] as const) {
  test(`an answer with ${what} is none`, async (t) => {
    t.context.double.answer(answers(body));
    await t.throwsAsync(t.context.client.embed({ input: ["a", "b"] }, { signal }), {
      ...{ instanceOf: UpstreamUnavailable, message: /not_an_answer/ },
    });
    t.is(t.context.double.seen.length, 1);
  });
}

test("an answer that breaks off, or falls silent, is not asked for again", async (t) => {
  const { double, client, clock } = t.context;
  const begins: Script = ({ response }) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write('{"data":[');
  };
  double.answer((seen) => {
    begins(seen);
    seen.response.write(" ", () => setImmediate(() => seen.response.socket?.destroy()));
  });
  await t.throwsAsync(client.embed({ input: ["a"] }, { signal }), { instanceOf: UpstreamUnavailable });
  double.answer(() => undefined);
  const silent = client.embed({ input: ["a"] }, { signal });
  const seen = await double.arrived(2);
  clock.advance(60_000);
  begins(seen);
  // The first bytes start the watch anew.
  await clock.set((ms) => ms === 120_000);
  clock.advance(120_000);
  await t.throwsAsync(silent, { instanceOf: UpstreamUnavailable });
  await seen.closed;
  t.is(double.seen.length, 2);
});

test("an abort closes the connection at once", async (t) => {
  const { double, client } = t.context;
  double.answer(() => undefined);
  const caller = new AbortController();
  const answer = client.embed({ input: ["a"] }, { signal: caller.signal });
  const { closed } = await double.arrived(1);
  caller.abort(new Error("gone"));
  await t.throwsAsync(answer, { message: "gone" });
  await closed;
});
