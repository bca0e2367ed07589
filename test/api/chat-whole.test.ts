import anyTest from "ava";
import { begins, breaks, chunk, DONE, fails, says, stream, usage } from "../upstream/double.ts";
import { HandClock } from "../upstream/hand-clock.ts";
import { type ChatHarness, endedBill, hello, LARGE, post, SMALL, startChatHarness, UNBILLED } from "./chat-harness.ts";

/** Waits between tries take no time: every timer below the 120 s of silence runs at once. */
class Impatient extends HandClock {
  override after(ms: number, run: () => void): () => void {
    if (ms >= 120_000) return super.after(ms, run);
    const timer = setImmediate(run);
    return () => clearImmediate(timer);
  }
}

// One after the other: they share a double.
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let harness: ChatHarness;
test.before(async () => {
  harness = await startChatHarness({}, { upstream: { clock: new Impatient() } });
});
test.after.always(() => harness?.stop());

test("200: an answer in one piece, charged for what the upstream counted", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(says("uno dos tres"));
  const before = Math.floor(Date.now() / 1000);
  const { status, body, headers } = await post(tenant, hello({ model: LARGE }));
  t.is(status, 200);
  t.is(headers.get("Content-Type"), "application/json; charset=utf-8");
  const { id, created, ...rest } = body;
  t.regex(id, /^chatcmpl_[0-9A-Za-z]{24}$/);
  t.true(Number.isInteger(created) && created >= before);
  t.deepEqual(rest, {
    ...{ object: "chat.completion", model: LARGE },
    choices: [{ index: 0, message: { role: "assistant", content: "uno dos tres" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
  // 7 × 1.50 + 3 × 8.00 a million, and the balance shows it at once.
  t.like(await endedBill(harness, tenant), {
    ...{ status: "charged", prompt: 7, completion: 3, estimated: false },
    ...{ revenue: "0.000034500", held: "0.000000000", worth: "99.999965500" },
  });
  t.is((await tenant.call("GET", "/v1/balance")).body.balance_eur, 99.999966);
  t.is(harness.double.seen.at(-1)?.headers.authorization, "Bearer upstream-secret");
});

test("finish_reason is stop or length, whatever the upstream calls it", async (t) => {
  const tenant = await harness.tenant();
  for (const [theirs, ours] of [
    ["stop", "stop"],
    ["length", "length"],
    ["eos_token", "stop"],
    ["content_filter", "stop"],
  ] as const) {
    harness.double.answer(says("uno", { finish: theirs }));
    t.is((await post(tenant, hello())).body.choices[0].finish_reason, ours);
  }
});

test("a part of an answer is none: 503, not billed, whatever breaks in mid-answer", async (t) => {
  const before = harness.double.seen.length;
  for (const rest of [`data: {"error":{"message":"secret of the upstream"}}\n\n`, "data: {\n\n", DONE, ""]) {
    const tenant = await harness.tenant();
    harness.double.answer(({ response }) => void stream(response).end(chunk({ content: "uno" }) + rest));
    const { status, body, headers } = await post(tenant, hello());
    t.is(status, 503);
    t.is(body.error.code, "upstream_unavailable");
    t.false(JSON.stringify(body).includes("secret"));
    t.is(headers.get("Retry-After"), null);
    t.like(await endedBill(harness, tenant), UNBILLED);
  }
  t.is(harness.double.seen.length - before, 4, "nothing is asked again after the first byte");
});

test("503 after four tries without an answer, not billed; 500 then 200 is an answer, billed once", async (t) => {
  for (const fault of [fails(500), breaks, fails(401), fails(429, {}, { "Retry-After": "40" })]) {
    const tenant = await harness.tenant();
    harness.double.answer(fault);
    const { status, body, headers } = await post(tenant, hello());
    t.is(status, 503);
    t.is(body.error.code, "upstream_unavailable");
    t.regex(headers.get("Retry-After") ?? "", /^(5|40)$/);
    t.like(await endedBill(harness, tenant), UNBILLED);
  }
  const tenant = await harness.tenant();
  harness.double.answer(fails(500), breaks, says("uno"));
  t.is((await post(tenant, hello())).status, 200);
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 7, completion: 1 });
});

test("400 messages: the upstream says that the prompt is over its window, or that it will not have it", async (t) => {
  for (const error of [
    { code: "context_length_exceeded", message: "secret" },
    { message: "roles must alternate, secret" },
  ]) {
    const tenant = await harness.tenant();
    harness.double.answer(fails(400, { error }));
    const { status, body } = await post(tenant, hello());
    t.is(status, 400);
    t.is(body.error.code, "invalid_parameter");
    t.is(body.error.param, "messages");
    t.false(body.error.message.includes("secret"));
    t.like(await endedBill(harness, tenant), UNBILLED);
  }
});

test("without usage tokens are estimated from bytes, and marked so", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(says("uno dos tres", { counted: false }));
  const messages = [{ role: "user", content: "x".repeat(400) }];
  const { body } = await post(tenant, hello({ messages }));
  t.deepEqual(body.usage, { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 });
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 100, completion: 3, estimated: true });
});

test("a charge is at most hold and balance: the rest is written off and counted", async (t) => {
  const tenant = await harness.tenant({ credit: "0.001" });
  harness.double.answer(({ response }) => {
    stream(response).end(chunk({ content: "uno" }) + chunk({}, "stop") + usage(1_000, 1_000) + DONE);
  });
  t.is((await post(tenant, hello({ max_tokens: 100 }))).status, 200);
  t.like(await endedBill(harness, tenant), { revenue: "0.001000000", worth: "0.000000000" });
  const metrics = await (await fetch(harness.api.metricsUrl)).text();
  t.regex(metrics, /escriba_written_off_eur_total\{[^}]*\} 0\.0034/);
  t.is((await post(tenant, hello())).status, 402);
});

test("a client that leaves without an Idempotency-Key ends the upstream's work, and is not billed", async (t) => {
  for (const script of [() => undefined, begins("uno")]) {
    const tenant = await harness.tenant();
    harness.double.answer(script);
    const leave = new AbortController();
    const answer = fetch(`${harness.api.url}/v1/chat/completions`, {
      ...{ method: "POST", body: JSON.stringify(hello()), signal: leave.signal },
      headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json" },
    });
    const seen = await harness.double.arrived(harness.double.seen.length + 1);
    leave.abort();
    await t.throwsAsync(answer);
    await seen.closed;
    t.like(await endedBill(harness, tenant), UNBILLED);
  }
});

test("an answer shows in the metrics: how it ended, its tokens, its first chunk", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(says("uno dos tres"));
  const value = async (name: string, labels: Record<string, string>) => {
    const lines = (await (await fetch(harness.api.metricsUrl)).text()).split("\n");
    const fits = (line: string) => Object.entries(labels).every(([label, one]) => line.includes(`${label}="${one}"`));
    return Number(
      lines
        .find((line) => line.startsWith(`${name}{`) && fits(line))
        ?.split(" ")
        .at(-1) ?? 0,
    );
  };
  const read = () =>
    Promise.all([
      value("escriba_chat_answers_total", { model: SMALL, stream: "false", outcome: "completed" }),
      value("escriba_chat_tokens_total", { model: SMALL, kind: "prompt" }),
      value("escriba_chat_tokens_total", { model: SMALL, kind: "completion" }),
      value("escriba_chat_first_chunk_seconds_count", { model: SMALL }),
      value("escriba_upstream_requests_total", { model: SMALL, outcome: "ok" }),
    ]);
  const before = await read();
  await post(tenant, hello());
  await endedBill(harness, tenant);
  const after = await read();
  t.deepEqual(
    after.map((one, i) => one - (before[i] ?? 0)),
    [1, 7, 3, 1, 1],
  );
});

test("no word of a caller or of the upstream, and no secret, is in the log", async (t) => {
  const tenant = await harness.tenant();
  const messages = [{ role: "user", content: "palabra-del-cliente" }];
  for (const script of [
    says("palabra-del-modelo"),
    fails(400, { error: { message: "palabra-del-cliente" } }),
    fails(500, { error: { message: "palabra-del-cliente" } }),
    ({ response }: Parameters<ReturnType<typeof says>>[0]) =>
      void stream(response).end(`${chunk({ content: "palabra-del-modelo" })}data: palabra-del-modelo\n\n`),
  ]) {
    harness.double.answer(script);
    await post(tenant, hello({ messages }));
  }
  t.true(harness.log.text.includes("upstream try failed"));
  for (const word of ["palabra", "upstream-secret", tenant.key]) t.false(harness.log.text.includes(word), word);
});
