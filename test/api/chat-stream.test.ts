import anyTest from "ava";
import { chatCompletionChunk } from "../../api/schemas/chat.ts";
import { begins, chunk, DONE, fails, hangs, type Script, says, sent, stream, usage } from "../upstream/double.ts";
import { HandClock } from "../upstream/hand-clock.ts";
import {
  billOf,
  type ChatHarness,
  endedBill,
  hello,
  LARGE,
  openStream,
  readStream,
  SMALL,
  startChatHarness,
  UNBILLED,
} from "./chat-harness.ts";

// One after the other: they share a double and a clock.
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let harness: ChatHarness;
const clock = new HandClock();
test.before(async () => {
  harness = await startChatHarness({}, { upstream: { clock, random: () => 0.5 } });
});
test.after.always(() => harness?.stop());

test("a stream: our id, our model, role first, finish_reason last, [DONE]; nothing else of the upstream's", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(async ({ response }) => {
    stream(response);
    for (const part of [
      chunk({ role: "assistant", content: null, reasoning_content: "hm" }),
      chunk({ reasoning_content: "hm", reasoning: "hm" }),
      chunk({ content: "uno", tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "" } }] }),
      chunk({}, null, { choices: [], prompt_filter_results: [] }),
      chunk({ content: '\n«dos» \u2028\u{1f642}"' }, null, {
        usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
      }),
      chunk({ refusal: null }, "stop", { service_tier: "x" }),
      usage(7, 2),
      DONE,
    ]) {
      await sent(response, part);
    }
    response.end();
  });
  const open = await openStream(
    harness.api.url,
    tenant,
    hello({ model: LARGE, stream_options: { include_usage: true } }),
  );
  t.is(open.response.status, 200);
  t.is(open.response.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
  t.is(open.response.headers.get("Cache-Control"), "no-cache");
  t.is(open.response.headers.get("Content-Encoding"), null);
  t.regex(open.response.headers.get("Service-Request-Id") ?? "", /^req_/);
  t.is(open.response.headers.get("X-RateLimit-Limit"), "300");
  const { chunks, done } = await readStream(open);
  t.true(done);
  t.deepEqual(
    chunks.map(({ choices }) => choices),
    [
      [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
      [{ index: 0, delta: { content: "uno" }, finish_reason: null }],
      [{ index: 0, delta: { content: '\n«dos» \u2028\u{1f642}"' }, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: "stop" }],
    ],
  );
  for (const one of chunks) chatCompletionChunk.parse(one);
  const [{ id, created, model } = { id: "", created: 0, model: "" }] = chunks;
  t.regex(id, /^chatcmpl_[0-9A-Za-z]{24}$/);
  t.true(Number.isInteger(created));
  t.is(model, LARGE);
  t.true(chunks.every((one) => one.id === id && one.created === created && one.model === model));
  t.like(await endedBill(harness, tenant), {
    ...{ status: "charged", prompt: 7, completion: 2, estimated: false },
    ...{ revenue: "0.000026500", held: "0.000000000", worth: "99.999973500" },
  });
});

test("each chunk is passed on as it comes, and the balance is charged when the stream ends", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(begins("uno"));
  const open = await openStream(harness.api.url, tenant, hello());
  const { response } = await harness.double.arrived(harness.double.seen.length);
  const next = async () => JSON.parse((await open.events.next()).value ?? "").choices[0].delta.content;
  t.is(await next(), "uno");
  t.like(await billOf(harness, tenant), { status: "running", revenue: "0.000000000" });
  for (const word of ["dos", "tres"]) {
    response.write(chunk({ content: word }));
    t.is(await next(), word);
  }
  response.end(chunk({}, "stop") + usage(1_000, 1_000) + DONE);
  for await (const event of open.events) if (event === "[DONE]") break;
  t.is((await tenant.call("GET", "/v1/balance")).body.balance_eur, 99.9956);
});

for (const [what, script] of [
  ["the upstream fails every time", fails(500)],
  ["it says 200 and sends no byte", ({ response }) => void stream(response)],
  ["it is silent", hangs],
] as [string, Script][]) {
  test(`503, and no header before it: ${what}`, async (t) => {
    const tenant = await harness.tenant();
    harness.double.answer(script);
    let over = false;
    const open = openStream(harness.api.url, tenant, hello()).finally(() => {
      over = true;
    });
    while (!over) {
      const [next] = clock.pending;
      // A try that is answered is not timed out: only waits are turned then.
      if (next !== undefined && (next < 120_000 || !what.includes("fails"))) clock.advance(next);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { response } = await open;
    t.is(response.status, 503);
    t.is(((await response.json()) as { error: { code: string } }).error.code, "upstream_unavailable");
    t.like(await endedBill(harness, tenant), UNBILLED);
    // The breaker has seen enough of it.
    clock.advance(10_000);
    harness.double.answer(says("uno"));
    await readStream(await openStream(harness.api.url, await harness.tenant(), hello()));
  });
}

for (const [what, rest] of [
  ["the connection closes", null],
  ["the upstream sends an error", `data: {"error":{"message":"secret","code":500}}\n\n`],
  ["the upstream sends garbage", "data: {secret\n\n"],
  ["the upstream sends an endless line", `data: ${"x".repeat(1_100_000)}`],
  ["the upstream ends without a finish_reason", DONE],
  ["the upstream is silent for 120 s", ""],
] as const) {
  test(`a failure in mid-stream ends with [DONE], no error, no finish_reason, and is not billed: ${what}`, async (t) => {
    const tenant = await harness.tenant();
    harness.double.answer(async ({ response }) => {
      stream(response);
      await sent(response, chunk({ role: "assistant", content: "uno" }));
      if (rest === null) response.socket?.destroy();
      else response.write(rest);
    });
    const open = await openStream(harness.api.url, tenant, hello());
    if (rest === "") {
      await clock.set((ms) => ms === 120_000);
      clock.advance(120_000);
    }
    const { chunks, done, text } = await readStream(open);
    t.true(done);
    t.is(text, "uno");
    t.deepEqual(
      chunks.map(({ choices }) => choices[0]?.finish_reason),
      [null],
    );
    t.false(JSON.stringify(chunks).includes("secret"));
    t.like(await endedBill(harness, tenant), UNBILLED);
    t.true(harness.log.text.includes("a stream broke off"));
  });
}

test("without usage the tokens are estimated, and marked so; a stream that only lacks its end is whole", async (t) => {
  for (const end of ["", DONE]) {
    const tenant = await harness.tenant();
    harness.double.answer(({ response }) => {
      stream(response).end(chunk({ content: "x".repeat(40) }) + chunk({}, "length") + end);
    });
    const { chunks, done } = await readStream(await openStream(harness.api.url, tenant, hello()));
    t.true(done);
    t.is(chunks.at(-1)?.choices[0]?.finish_reason, "length");
    t.like(await endedBill(harness, tenant), { status: "charged", prompt: 1, completion: 10, estimated: true });
  }
});

test("an error before the stream is an error like any other: 400, 402", async (t) => {
  const poor = await harness.tenant({ credit: "0" });
  t.is((await openStream(harness.api.url, poor, hello())).response.status, 402);
  t.is((await openStream(harness.api.url, poor, hello({ model: "x" }))).response.status, 400);
  harness.double.answer(fails(400, { error: { code: "context_length_exceeded" } }));
  const tenant = await harness.tenant();
  const { response } = await openStream(harness.api.url, tenant, hello({ model: SMALL }));
  t.is(response.status, 400);
  t.is(((await response.json()) as { error: { param: string } }).error.param, "messages");
  t.like(await endedBill(harness, tenant), UNBILLED);
});
