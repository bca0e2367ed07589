import { setTimeout as sleep } from "node:timers/promises";
import anyTest from "ava";
import { CHAT_MODEL, readConfig } from "../../inference/config.ts";
import { type Inference, startInference } from "../../inference/server.ts";
import { createLog } from "../../process/log.ts";
import { endedBill, openStream, post, readStream, SMALL, UNBILLED } from "./chat-harness.ts";
import { type Harness, startHarness } from "./harness.ts";

/** Nothing here is a double: API, ledger, inference server and its model. */
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let inference: Inference;
let harness: Harness;
test.before(async () => {
  const config = readConfig({ ...process.env, ESCRIBA_INFERENCE_PORT: "0" });
  inference = await startInference(config, { log: createLog("inference", "silent") });
  await inference.fetched;
  const upstream = { url: `${inference.url}/v1`, model: CHAT_MODEL, context_window: config.ESCRIBA_INFERENCE_WINDOW };
  harness = await startHarness({ ESCRIBA_UPSTREAMS: JSON.stringify({ [SMALL]: upstream }) });
});
test.after.always(async () => {
  await harness?.stop();
  await inference?.close();
});

const count = { model: SMALL, temperature: 0, messages: [{ role: "user", content: "Count from one to a thousand." }] };

test("a whole answer and a stream are the same words at the same price, as the model counts them", async (t) => {
  const [first, second] = [await harness.tenant(), await harness.tenant()];
  const whole = await post(first, { ...count, max_tokens: 12 });
  t.is(whole.status, 200);
  const { chunks, done, text } = await readStream(
    await openStream(harness.api.url, second, { ...count, max_tokens: 12 }),
  );
  t.true(done);
  t.is(text, whole.body.choices[0].message.content);
  t.is(chunks.at(-1)?.choices[0]?.finish_reason, "length");
  t.is(whole.body.choices[0].finish_reason, "length");
  const bill = await endedBill(harness, first);
  const { prompt_tokens: prompt, completion_tokens: completion } = whole.body.usage;
  t.like(bill, { status: "charged", prompt, completion, estimated: false });
  t.deepEqual(await endedBill(harness, second), bill);
});

test("a stream that its client cuts stops the model, and bills what was produced", async (t) => {
  const tenant = await harness.tenant();
  const open = await openStream(harness.api.url, tenant, { ...count, max_tokens: 2_000 });
  for (let chunks = 0; chunks < 4; chunks += 1) await open.events.next();
  open.cut();
  const bill = await endedBill(harness, tenant);
  t.like(bill, { status: "charged", estimated: true, held: "0.000000000" });
  // 499 is the inference server's word for a client that left.
  const left = /^escriba_inference_requests_total\{kind="chat",status="499"[^}]*\} 1$/m;
  while (!left.test(await (await fetch(`${inference.url}/metrics`)).text())) await sleep(20);
  t.true((bill.completion ?? 0) > 0 && (bill.completion ?? 0) < 1_000);
});

test("400 messages: a prompt over the model's window, by its own count; not billed", async (t) => {
  const tenant = await harness.tenant();
  const messages = [{ role: "user", content: "one two three ".repeat(4_000) }];
  const { status, body } = await post(tenant, { ...count, messages });
  t.is(status, 400);
  t.is(body.error.param, "messages");
  t.like(await endedBill(harness, tenant), UNBILLED);
});
