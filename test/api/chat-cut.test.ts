import { setTimeout as sleep } from "node:timers/promises";
import anyTest from "ava";
import { releaseDeadUsage } from "../../billing/usage.ts";
import { begins, chunk, DONE, hangs, sent, stream, usage } from "../upstream/double.ts";
import { HandClock } from "../upstream/hand-clock.ts";
import { type ChatHarness, endedBill, hello, openStream, startChatHarness, UNBILLED } from "./chat-harness.ts";
import { RawConnection } from "./raw.ts";

// One after the other: they share a double and a clock.
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let harness: ChatHarness;
const clock = new HandClock();
test.before(async () => {
  // The upstream's own patience is another than the 120 s of a reader, so that a test sees which of the two it is.
  harness = await startChatHarness({}, { upstream: { clock, timing: { silenceMs: 600_000 } } });
});
test.after.always(() => harness?.stop());

const prompt = hello({ messages: [{ role: "user", content: "x".repeat(400) }] });

test("a stream that its client cuts: the upstream is cut at once; the prompt and what was produced are billed", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(begins("a".repeat(40)));
  const open = await openStream(harness.api.url, tenant, prompt);
  await open.events.next();
  const seen = await harness.double.arrived(harness.double.seen.length);
  seen.response.write(chunk({ content: "b".repeat(40) }));
  await open.events.next();
  open.cut();
  await seen.closed;
  // 400 bytes in, 80 out, four a token: 100 × 0.65 + 20 × 3.75 a million.
  t.deepEqual(await endedBill(harness, tenant), {
    ...{ status: "charged", prompt: 100, completion: 20, estimated: true },
    ...{ revenue: "0.000140000", held: "0.000000000", worth: "99.999860000" },
  });
});

test("an upstream that counts in its chunks says what a cut stream costs", async (t) => {
  const counting = await startChatHarness({ usage_in_chunks: true });
  const tenant = await counting.tenant();
  const counted = { usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 } };
  counting.double.answer(async ({ response }) => {
    await sent(stream(response), chunk({ role: "assistant", content: "uno" }, null, counted));
  });
  const open = await openStream(counting.api.url, tenant, prompt);
  await open.events.next();
  open.cut();
  t.like(await endedBill(counting, tenant), { status: "charged", prompt: 11, completion: 3, estimated: false });
  t.deepEqual(counting.double.seen[0]?.body.stream_options, { include_usage: true, continuous_usage_stats: true });
  await counting.stop();
});

test("a client that closes on finish_reason is billed by the upstream's own usage, which is waited for", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(async ({ response }) => {
    await sent(stream(response), chunk({ content: "uno" }) + chunk({}, "stop"));
  });
  const open = await openStream(harness.api.url, tenant, prompt);
  await open.events.next();
  await open.events.next();
  open.cut();
  await sleep(50);
  const { response } = await harness.double.arrived(harness.double.seen.length);
  response.end(usage(7, 3) + DONE);
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 7, completion: 3, estimated: false });
});

/** A streaming request over a bare socket. */
function request(key: string): RawConnection {
  const connection = new RawConnection(harness.api.url);
  const body = JSON.stringify({ ...prompt, stream: true });
  connection.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return connection;
}

test("a client that leaves before the first chunk has got nothing, and is not billed", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(hangs);
  const client = request(tenant.key);
  const { closed } = await harness.double.arrived(harness.double.seen.length + 1);
  client.destroy();
  await closed;
  t.like(await endedBill(harness, tenant), UNBILLED);
});

test("a reader that takes nothing for 120 s has gone: cut, and billed for what was produced", async (t) => {
  const tenant = await harness.tenant();
  let written = 0;
  harness.double.answer(async ({ response }) => {
    stream(response);
    const write = () => {
      do written += 1;
      while (response.write(chunk({ content: "x".repeat(60_000) })));
    };
    response.on("drain", write);
    write();
  });
  const reader = request(tenant.key);
  reader.socket.pause();
  const { closed } = await harness.double.arrived(harness.double.seen.length + 1);
  // Every drain sets the patience anew: it is over only where no drain comes any more.
  for (let before = -1; before !== written; await sleep(100)) before = written;
  await clock.set((ms) => ms === 120_000);
  clock.advance(120_000);
  await closed;
  const bill = await endedBill(harness, tenant);
  t.like(bill, { status: "charged", estimated: true });
  t.true((bill.completion ?? 0) >= 15_000);
  reader.destroy();
});

test("a call that the sweeper has taken for dead streams on, and is not billed", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(begins("uno"));
  const open = await openStream(harness.api.url, tenant, prompt);
  await open.events.next();
  const { organizationId } = tenant;
  const call = await harness.postgres.db.usageCall.findFirstOrThrow({ where: { organizationId } });
  t.true(call.leasedUntil.getTime() > Date.now() + 50_000);
  t.regex(call.id, /^chatcmpl_/);
  await harness.postgres.db.usageCall.update({ where: { id: call.id }, data: { leasedUntil: new Date(0) } });
  await releaseDeadUsage(harness.postgres.db);
  const { response } = await harness.double.arrived(harness.double.seen.length);
  response.end(chunk({}, "stop") + usage(7, 3) + DONE);
  const rest: string[] = [];
  for await (const event of open.events) rest.push(event);
  t.is(rest.at(-1), "[DONE]");
  t.like(await endedBill(harness, tenant), UNBILLED);
});
