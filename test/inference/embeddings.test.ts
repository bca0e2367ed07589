import test from "ava";
import { errorOf, serverForFile, until } from "./server.ts";

const server = serverForFile(test);
const path = "/v1/embeddings";
const model = "all-minilm-l6-v2";

const vectors = async (input: string | string[], about: object = {}) =>
  (await server().embed({ input, ...about })).data.map(({ embedding }) => embedding as number[]);
const one = async (input: string, about: object = {}) => (await vectors(input, about))[0] as number[];
const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
const length = (vector: number[]) => Math.sqrt(dot(vector, vector));

test("two ways to say one thing are nearer than a stranger, and every vector has length 1", async (t) => {
  const [asked, meant, stranger] = (await vectors([
    "How do I reset my password?",
    "I forgot my login and cannot sign in any more.",
    "The weather in Madrid is sunny today.",
  ])) as [number[], number[], number[]];
  t.true(dot(asked, meant) > dot(asked, stranger) + 0.3, `${dot(asked, meant)} and ${dot(asked, stranger)}`);
  for (const vector of [asked, meant, stranger]) {
    t.is(vector.length, 384);
    t.true(Math.abs(length(vector) - 1) < 1e-6);
  }
});

test("a text has the same vector to the bit whatever its neighbours, and in whatever order", async (t) => {
  const text = "The customer wants the invoice of March to be corrected.";
  const alone = await one(text);
  const long = "word ".repeat(400);
  const neighbours = ["a", long, text, "¿Cómo está?", text, "z".repeat(300)];
  const together = await vectors(neighbours);
  const reversed = await vectors([...neighbours].reverse());
  t.deepEqual(together[2], alone);
  t.deepEqual(together[4], alone);
  t.deepEqual(together, reversed.reverse());
});

test("requests side by side give what each gives alone", async (t) => {
  const texts = ["one", "two words", "three words here", "a fourth text"];
  const alone = [];
  for (const text of texts) alone.push(await one(text));
  t.deepEqual(await Promise.all(texts.map((text) => one(text))), alone);
});

test("data come in the order of the input, with usage as the tokenizer counts", async (t) => {
  const answer = await server().embed({ input: ["hello world", "hola"] });
  t.is(answer.object, "list");
  t.deepEqual(
    answer.data.map(({ object, index }) => ({ object, index })),
    [0, 1].map((index) => ({ object: "embedding", index })),
  );
  // [CLS] hello world [SEP]; [CLS] ho ##la [SEP]
  t.deepEqual(answer.usage, { prompt_tokens: 8, total_tokens: 8 });
});

test("base64 is the same numbers as little-endian 32-bit floats", async (t) => {
  const input = ["first", "second"];
  const floats = await vectors(input);
  const { data } = await server().embed({ input, encoding_format: "base64" });
  for (const [i, { embedding }] of data.entries()) {
    const bytes = Buffer.from(embedding as string, "base64");
    t.is(bytes.length, 384 * 4);
    t.deepEqual(
      Array.from({ length: 384 }, (_, n) => bytes.readFloatLE(n * 4)),
      floats[i],
    );
  }
});

test("more dimensions are zeros, fewer are cut and brought to length 1", async (t) => {
  const whole = await one("a text");
  const more = await one("a text", { dimensions: 1_024 });
  t.is(more.length, 1_024);
  t.deepEqual(more.slice(0, 384), whole);
  t.true(more.slice(384).every((value) => value === 0));
  const fewer = await one("a text", { dimensions: 100 });
  t.is(fewer.length, 100);
  t.true(Math.abs(length(fewer) - 1) < 1e-6);
  t.true(Math.abs(dot(fewer, whole.slice(0, 100)) / length(whole.slice(0, 100)) - 1) < 1e-6, "the same direction");
});

test("a text longer than a window is the mean of its windows, weighed by their tokens", async (t) => {
  // 300 words of one token each and two special ones a window: two windows of 150.
  const words = Array.from({ length: 300 }, (_, i) => ["water", "customer", "money", "april", "house"][i % 5]);
  const [first, second] = [words.slice(0, 150), words.slice(150)].map((half) => half.join(" ")) as [string, string];
  const { data, usage } = await server().embed({ input: [words.join(" "), first, second] });
  t.is(usage.prompt_tokens, 302 + 152 + 152);
  const [whole, a, b] = data.map(({ embedding }) => embedding as number[]) as [number[], number[], number[]];
  const mean = a.map((value, i) => value + (b[i] as number));
  t.true(dot(whole, mean) / length(mean) > 0.9999, "the vector of both halves together");
  t.true(Math.abs(length(whole) - 1) < 1e-6);
});

test("the end of a long text counts too", async (t) => {
  const filler = "The agent greets the customer politely. ".repeat(60);
  const [money, sport] = (await vectors([`${filler}${"Refund the money. ".repeat(60)}`, "Refund the money."])) as [
    number[],
    number[],
  ];
  t.true(dot(money, sport) > dot(await one(filler), sport) + 0.1);
});

test("a text over 32,000 tokens is 400 and named, however many words fit", async (t) => {
  const response = await server().post(path, { model, input: ["short", "word ".repeat(32_000)] });
  const error = await errorOf(t, response, 400);
  t.is(error.code, "context_length_exceeded");
  t.is(error.param, "input");
  t.regex(error.message, /input 1 is 32002 tokens/);
});

test("a client that leaves ends its work", async (t) => {
  const abort = new AbortController();
  const input = Array.from({ length: 500 }, (_, i) => `${i} ${"word ".repeat(250)}`);
  const left = server().post(path, { model, input }, { signal: abort.signal });
  await until(async () => (await server().metric("escriba_inference_running", { kind: "embeddings" })) >= 1);
  const before = await server().metric("escriba_inference_requests_total", { kind: "embeddings", status: "499" });
  abort.abort();
  await t.throwsAsync(left);
  await until(
    async () =>
      (await server().metric("escriba_inference_requests_total", { kind: "embeddings", status: "499" })) > before,
  );
  t.is((await one("still here")).length, 384);
});
