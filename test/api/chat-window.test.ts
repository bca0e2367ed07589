import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyTest from "ava";
import { chunk, DONE, fails, says, stream, usage } from "../upstream/double.ts";
import { WORDS } from "../upstream/word-tokenizer.ts";
import { type ChatHarness, endedBill, hello, post, startChatHarness, UNBILLED } from "./chat-harness.ts";

// One after the other: they share a double.
const test = Object.assign(anyTest.serial, { before: anyTest.before, after: anyTest.after });

let harness: ChatHarness;
test.before(async () => {
  harness = await startChatHarness({ context_window: 10_000 });
});
test.after.always(() => harness?.stop());

const words = (count: number) => hello({ messages: [{ role: "user", content: "hola ".repeat(count) }] });
const asked = () => harness.double.seen.at(-1)?.body.max_tokens;

test("max_tokens is sent as asked where prompt and answer surely fit: 4,096 when absent", async (t) => {
  const tenant = await harness.tenant();
  await post(tenant, words(1_000));
  t.is(asked(), 4_096);
  await post(tenant, { ...words(0), max_tokens: 9_920 });
  t.is(asked(), 9_920);
});

test("max_tokens is lowered to what the window leaves", async (t) => {
  const tenant = await harness.tenant();
  await post(tenant, { ...words(1_000), max_tokens: 32_000 });
  t.is(asked(), 10_000 - 1_250 - 64 - 16);
  // The hold is what was asked of the upstream: 5,080 in, 8,670 out, of which all but 7 and 1 came back.
  const hold = await harness.postgres.db.ledgerTransaction.findFirstOrThrow({
    where: { organizationId: tenant.organizationId, kind: "hold" },
  });
  t.like((hold.detail as unknown as { lines: unknown[] }).lines, [{ tokens: 5_080 }, { tokens: 8_670 }]);
});

test("an upstream that says how much fits is asked once more, for that", async (t) => {
  const tenant = await harness.tenant();
  const message =
    "This model's maximum context length is 10000 tokens. However, you requested 10100 tokens (9000 in the messages, 1100 in the completion).";
  harness.double.answer(fails(400, { error: { message } }), says("uno"));
  const before = harness.double.seen.length;
  t.is((await post(tenant, { ...words(7_000), max_tokens: 2_000 })).status, 200);
  t.deepEqual(
    harness.double.seen.slice(before).map(({ body }) => body.max_tokens),
    [1_170, 1_000],
  );
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 7, completion: 1 });
});

test("400 messages: a prompt over the window, as the upstream says; not billed", async (t) => {
  for (const message of [
    "This model's maximum context length is 10000 tokens. However, your request has 12000 input tokens.",
    "too long",
  ]) {
    const tenant = await harness.tenant();
    harness.double.answer(fails(400, { error: { message, code: "context_length_exceeded" } }));
    const before = harness.double.seen.length;
    const { status, body } = await post(tenant, words(40_000));
    t.is(status, 400);
    t.is(body.error.param, "messages");
    t.is(harness.double.seen.length - before, 1);
    t.like(await endedBill(harness, tenant), UNBILLED);
  }
});

test("with the model's tokenizer the window is known: 400 before anything is held, max_tokens exact, usage counted", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-chat-"));
  const tokenizer = join(directory, "tokenizer.json");
  await writeFile(tokenizer, JSON.stringify(WORDS));
  const counting = await startChatHarness({ context_window: 10_000, tokenizer });
  const tenant = await counting.tenant();
  const over = await post(tenant, words(10_000));
  t.is(over.status, 400);
  t.is(over.body.error.param, "messages");
  t.is(counting.double.seen.length, 0);
  t.is(await counting.postgres.db.usageCall.count(), 0);
  counting.double.answer(
    ({ response }) => void stream(response).end(chunk({ content: "hola hola" }) + chunk({}, "stop") + DONE),
  );
  const { body } = await post(tenant, { ...words(9_000), max_tokens: 5_000 });
  t.is(counting.double.seen[0]?.body.max_tokens, 10_000 - 9_000 - 64 - 16);
  t.deepEqual(body.usage, { prompt_tokens: 9_000, completion_tokens: 2, total_tokens: 9_002 });
  t.like(await endedBill(counting, tenant), { prompt: 9_000, completion: 2, estimated: false });
  await counting.stop();
  await rm(directory, { recursive: true });
});

test("the hold's bound is bytes, 16 a message and 64, and never more than the window", async (t) => {
  const tenant = await harness.tenant();
  harness.double.answer(({ response }) => void stream(response).end(chunk({}, "stop") + usage(7, 0) + DONE));
  const held = async (json: object) => {
    await post(tenant, json);
    const { detail } = await harness.postgres.db.ledgerTransaction.findFirstOrThrow({
      where: { organizationId: tenant.organizationId, kind: "hold" },
      orderBy: { createdAt: "desc" },
    });
    return (detail as unknown as { lines: { tokens: number }[] }).lines.map(({ tokens }) => tokens);
  };
  const messages = ["ñ", "x", "\u{1f642}"].map((content) => ({ role: "user", content }));
  t.deepEqual(await held(hello({ messages, max_tokens: 5 })), [2 + 1 + 4 + 3 * 16 + 64, 5]);
  t.deepEqual(await held({ ...words(2_400), max_tokens: 5 }), [10_000, 5]);
});
