import anyTest from "ava";
import { type ChatHarness, hello, post, startChatHarness } from "./chat-harness.ts";
import type { Tenant } from "./harness.ts";

// One after the other: several look at what reached the double meanwhile.
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let harness: ChatHarness;
let tenant: Tenant;
test.before(async () => {
  harness = await startChatHarness();
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

const message = (changes: object) =>
  hello({
    messages: [
      { role: "user", content: "Hola" },
      { role: "user", content: "x", ...changes },
    ],
  });
const { model, ...withoutModel } = hello();
const { messages, ...withoutMessages } = hello();

for (const [what, body, code, param] of [
  ["no model", withoutModel, "missing_parameter", "model"],
  ["an unknown model", hello({ model: "gpt-4o-secret" }), "invalid_model", "model"],
  ["a model that does not chat", hello({ model: "service-embed-1" }), "invalid_model", "model"],
  ["a model that is a number", hello({ model: 1 }), "invalid_parameter", "model"],
  ["no messages", withoutMessages, "missing_parameter", "messages"],
  ["messages as text", hello({ messages: "Hola" }), "invalid_parameter", "messages"],
  ["an empty conversation", hello({ messages: [] }), "invalid_parameter", "messages"],
  ["1,001 messages", hello({ messages: Array(1_001).fill(messages[0]) }), "invalid_parameter", "messages"],
  ["a message that is text", hello({ messages: ["Hola"] }), "invalid_parameter", "messages.0"],
  ["no role", hello({ messages: [{ content: "x" }] }), "missing_parameter", "messages.0.role"],
  ["role tool", message({ role: "tool" }), "invalid_parameter", "messages.1.role"],
  ["role developer", message({ role: "developer" }), "invalid_parameter", "messages.1.role"],
  ["no content", hello({ messages: [{ role: "user" }] }), "missing_parameter", "messages.0.content"],
  ["content null", message({ content: null }), "invalid_parameter", "messages.1.content"],
  ["an array of parts", message({ content: [{ type: "text", text: "x" }] }), "invalid_parameter", "messages.1.content"],
  ["half a character", message({ content: "\ud83d" }), "invalid_parameter", "messages.1.content"],
  ["temperature 2.01", hello({ temperature: 2.01 }), "invalid_parameter", "temperature"],
  ["temperature -0.01", hello({ temperature: -0.01 }), "invalid_parameter", "temperature"],
  ["temperature as text", hello({ temperature: "1" }), "invalid_parameter", "temperature"],
  ["max_tokens 0", hello({ max_tokens: 0 }), "invalid_parameter", "max_tokens"],
  ["max_tokens 32,001", hello({ max_tokens: 32_001 }), "invalid_parameter", "max_tokens"],
  ["half a token", hello({ max_tokens: 1.5 }), "invalid_parameter", "max_tokens"],
  ["stream as text", hello({ stream: "true" }), "invalid_parameter", "stream"],
  [
    "json_schema",
    hello({ response_format: { type: "json_schema", json_schema: {} } }),
    "invalid_parameter",
    "response_format.type",
  ],
  ["a format without type", hello({ response_format: {} }), "missing_parameter", "response_format.type"],
  ["a format as text", hello({ response_format: "json_object" }), "invalid_parameter", "response_format"],
  ["reasoning_effort minimal", hello({ reasoning_effort: "minimal" }), "invalid_parameter", "reasoning_effort"],
  ["a body that is a list", [hello()], "invalid_parameter", null],
] as const) {
  test(`400 ${code}: ${what}`, async (t) => {
    const before = harness.double.seen.length;
    const { status, body: answer } = await post(tenant, body);
    t.is(status, 400);
    t.is(answer.error.code, code);
    t.is(answer.error.param, param);
    t.false(JSON.stringify(answer).includes("gpt-4o-secret"), "the identifier is not echoed");
    t.is(harness.double.seen.length, before);
  });
}

test("fields that are not ours are discarded, null is absent; what is ours reaches the upstream, no more", async (t) => {
  const before = harness.double.seen.length;
  const discarded = {
    ...{
      tools: [{ type: "function", function: { name: "f" } }],
      tool_choice: "required",
      top_p: 0.1,
      seed: 7,
      stop: ["a"],
    },
    ...{ n: 5, presence_penalty: 1, frequency_penalty: 1, logprobs: true, stream_options: { include_usage: false } },
    ...{ max_completion_tokens: 1, user: "u", parallel_tool_calls: true, store: true, whatever: {} },
  };
  const named = [{ role: "user", content: "Hola", name: "Ana", tool_calls: [] }];
  const nulls = { temperature: null, max_tokens: null, stream: null, response_format: null, reasoning_effort: null };
  t.is((await post(tenant, hello({ messages: named, ...discarded, ...nulls }))).status, 200);
  t.deepEqual(harness.double.seen[before]?.body, {
    ...{
      model: "theirs",
      messages: [{ role: "user", content: "Hola" }],
      max_tokens: 4_096,
      reasoning_effort: "none",
    },
    ...{ stream: true, stream_options: { include_usage: true } },
  });
});

test("values at their limits are taken, and sent on", async (t) => {
  for (const [sent, got] of [
    [{ temperature: 0 }, { temperature: 0 }],
    [{ temperature: 2 }, { temperature: 2 }],
    [{ max_tokens: 1 }, { max_tokens: 1 }],
    [{ max_tokens: 32_000 }, { max_tokens: 32_000 }],
    [{ response_format: { type: "json_object" } }, { response_format: { type: "json_object" } }],
    [{ response_format: { type: "text" } }, { response_format: undefined }],
    ...["none", "low", "medium", "high"].map((effort) => [{ reasoning_effort: effort }, { reasoning_effort: effort }]),
    [{ messages: Array(1_000).fill(messages[0]) }, { messages: Array(1_000).fill(messages[0]) }],
    [{ messages: [{ role: "system", content: "" }] }, { messages: [{ role: "system", content: "" }] }],
  ] as [object, Record<string, unknown>][]) {
    const before = harness.double.seen.length;
    t.is((await post(tenant, hello(sent))).status, 200);
    for (const [name, value] of Object.entries(got)) t.deepEqual(harness.double.seen[before]?.body[name], value);
  }
});

test("413 file_too_large over 16 MB; below it a body is read", async (t) => {
  const large = (bytes: number) => hello({ messages: [{ role: "user", content: "x".repeat(bytes) }] });
  t.is((await post(tenant, large(16 * 1024 * 1024))).body.error.code, "file_too_large");
  t.is((await post(tenant, large(5 * 1024 * 1024))).status, 200);
});

test("16 MB of empty messages are one error, not five million", async (t) => {
  const body = `{"model":"${model}","messages":[${"1,".repeat(2_000_000)}1]}`;
  const reply = await tenant.call("POST", "/v1/chat/completions", {
    body,
    headers: { "Content-Type": "application/json" },
  });
  t.is(reply.body.error.param, "messages");
});

for (const [what, body] of [
  ["with stream true", hello({ stream: true })],
  ["whatever else is wrong", { stream: true, model: "gpt-4o", messages: 1 }],
] as const) {
  test(`400: an Idempotency-Key with stream true, ${what}`, async (t) => {
    const before = harness.double.seen.length;
    const { status, body: answer } = await post(tenant, body, { "Idempotency-Key": "k" });
    t.is(status, 400);
    t.is(answer.error.code, "invalid_parameter");
    t.is(answer.error.param, "Idempotency-Key");
    t.is(harness.double.seen.length, before);
  });
}

test("403 missing_scope without llm:invoke; 401 without a key", async (t) => {
  const other = await harness.tenant({ scopes: ["embeddings:invoke"] });
  const { status, body } = await post(other, hello());
  t.is(status, 403);
  t.is(body.error.param, "llm:invoke");
  t.is((await tenant.call("POST", "/v1/chat/completions", { json: hello(), key: null })).status, 401);
});

test("402 insufficient_credit: no balance, or less than the upper bound; the upstream is not asked", async (t) => {
  // 4 bytes + 16 + 64 tokens in, 1,000 out: 0.0038046.
  const before = harness.double.seen.length;
  for (const credit of ["0", "0.0038045"]) {
    const poor = await harness.tenant({ credit });
    const { status, body } = await post(poor, hello({ max_tokens: 1_000 }));
    t.is(status, 402);
    t.is(body.error.code, "insufficient_credit");
    const asStream = await poor.call("POST", "/v1/chat/completions", {
      json: hello({ max_tokens: 1_000, stream: true }),
    });
    t.is(asStream.status, 402);
  }
  t.false(harness.double.seen.slice(before).some(({ body }) => body.max_tokens === 1_000));
  const enough = await harness.tenant({ credit: "0.0038046" });
  t.is((await post(enough, hello({ max_tokens: 1_000 }))).status, 200);
});

test("503 upstream_unavailable: a model without an upstream; nothing is held", async (t) => {
  const bare = await startChatHarness({}, {}, { ESCRIBA_UPSTREAMS: "{}" });
  const poor = await bare.tenant({ credit: "0" });
  const { status, body } = await post(poor, hello());
  t.is(status, 503);
  t.is(body.error.code, "upstream_unavailable");
  t.is(await bare.postgres.db.usageCall.count(), 0);
  await bare.stop();
});
