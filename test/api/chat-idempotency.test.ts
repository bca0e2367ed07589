import { setTimeout as sleep } from "node:timers/promises";
import anyTest from "ava";
import { chunk, DONE, fails, says, sent, stream, usage } from "../upstream/double.ts";
import { type ChatHarness, endedBill, hello, post, startChatHarness } from "./chat-harness.ts";
import type { Tenant } from "./harness.ts";

// One after the other: they share a double.
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let harness: ChatHarness;
test.before(async () => {
  harness = await startChatHarness();
});
test.after.always(() => harness?.stop());

const keyed = (tenant: Tenant, json: object, key = "k") => post(tenant, json, { "Idempotency-Key": key });
const BILLED = { status: "charged", prompt: 7, completion: 2, revenue: "0.000012050", held: "0.000000000" };

test("the same key and body: the first answer, byte for byte, with Idempotency-Replayed, billed once", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(says("uno dos"));
  const before = harness.double.seen.length;
  const first = await keyed(tenant, hello());
  t.is(first.status, 200);
  t.is(first.headers.get("Idempotency-Replayed"), null);
  harness.double.answer(says("otra respuesta"));
  const again = await keyed(tenant, { messages: hello().messages, model: hello().model });
  t.is(again.headers.get("Idempotency-Replayed"), "true");
  t.is(again.text, first.text);
  t.not(again.headers.get("Service-Request-Id"), first.headers.get("Service-Request-Id"));
  t.like(await endedBill(harness, tenant), BILLED);
  t.is(harness.double.seen.length - before, 1);
});

test("409 idempotency_key_reused: the same key, another body; another organization's key is another", async (t) => {
  const [tenant, other] = [await harness.tenant(), await harness.tenant()];
  await keyed(tenant, hello());
  const { status, body } = await keyed(tenant, hello({ max_tokens: 5 }));
  t.is(status, 409);
  t.is(body.error.code, "idempotency_key_reused");
  t.is((await keyed(other, hello({ max_tokens: 5 }))).status, 200);
});

test("20 requests at once with one key: one is asked and billed, 19 are its replays", async (t) => {
  const tenant = await harness.tenant();
  const before = harness.double.seen.length;
  harness.double.answer(async ({ response }) => {
    await sleep(100);
    stream(response).end(chunk({ content: "uno" }) + chunk({}, "stop") + usage(7, 2) + DONE);
  });
  const replies = await Promise.all(Array.from({ length: 20 }, () => keyed(tenant, hello())));
  t.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  t.is(new Set(replies.map(({ text }) => text)).size, 1);
  t.is(replies.filter(({ headers }) => headers.get("Idempotency-Replayed") === "true").length, 19);
  t.is(harness.double.seen.length - before, 1);
  t.like(await endedBill(harness, tenant), BILLED);
});

test("a client that leaves with a key: the call runs on, is stored and billed once; the retry finds its answer", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(({ response }) => {
    stream(response).write(chunk({ content: "uno" }));
  });
  const leave = new AbortController();
  const answer = fetch(`${harness.api.url}/v1/chat/completions`, {
    ...{ method: "POST", body: JSON.stringify(hello()), signal: leave.signal },
    headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json", "Idempotency-Key": "k" },
  });
  const { response } = await harness.double.arrived(harness.double.seen.length + 1);
  leave.abort();
  await t.throwsAsync(answer);
  await sleep(100);
  t.false(response.destroyed, "the upstream is not cut");
  await sent(response, chunk({ content: " dos" }));
  response.end(chunk({}, "stop") + usage(7, 2) + DONE);
  t.like(await endedBill(harness, tenant), BILLED);
  const retry = await keyed(tenant, hello());
  t.is(retry.headers.get("Idempotency-Replayed"), "true");
  t.is(retry.body.choices[0].message.content, "uno dos");
  t.like(await endedBill(harness, tenant), BILLED);
});

test("a request that fails frees its key: nothing is stored, and the next runs itself", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(fails(401));
  t.is((await keyed(tenant, hello())).status, 503);
  harness.double.answer(fails(400));
  t.is((await keyed(tenant, hello({ max_tokens: 9 }))).status, 400);
  harness.double.answer(says("uno dos"));
  const { status, headers } = await keyed(tenant, hello());
  t.is(status, 200);
  t.is(headers.get("Idempotency-Replayed"), null);
  const calls = await harness.postgres.db.usageCall.findMany({ where: { organizationId: tenant.organizationId } });
  t.deepEqual(calls.map(({ status }) => status).sort(), ["charged", "released", "released"]);
});

test("a call whose key went to another request is not billed, and answers what the other did", async (t) => {
  const tenant = await harness.tenant();
  const { organizationId } = tenant;
  harness.double.answer(({ response }) => void stream(response).write(chunk({ content: "tarde" })), says("uno dos"));
  const late = keyed(tenant, hello());
  const { response } = await harness.double.arrived(harness.double.seen.length + 1);
  // As if the first one's process had been away for over a minute.
  await harness.postgres.db.idempotencyKey.updateMany({
    where: { organizationId },
    data: { leasedUntil: new Date(0) },
  });
  const winner = await keyed(tenant, hello());
  t.is(winner.headers.get("Idempotency-Replayed"), null);
  response.end(chunk({}, "stop") + usage(7, 1) + DONE);
  const loser = await late;
  t.is(loser.headers.get("Idempotency-Replayed"), "true");
  t.is(loser.text, winner.text);
  const calls = await harness.postgres.db.usageCall.findMany({ where: { organizationId } });
  t.deepEqual(calls.map(({ status }) => status).sort(), ["charged", "released"]);
});
