import anyTest, { type TestFn } from "ava";
import { readBalance, refundCharge } from "../../billing/credit.ts";
import {
  holdUsage,
  holdUsages,
  releaseDeadUsage,
  releaseUsage,
  renewUsage,
  settleUsage,
  settleUsages,
} from "../../billing/usage.ts";
import type { Database } from "../../storage/database.ts";
import { beginIdempotent, type IdempotencyLease } from "../../storage/idempotency.ts";
import { newChatCompletionId, newEmbeddingId } from "../../storage/ids.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

/** A million of both kinds of token costs 4.40. */
const chat = (organizationId: string, promptTokens: number, completionTokens: number, id = newChatCompletionId()) => ({
  ...{ id, organizationId, apiKeyId: null, kind: "chat" as const, model: "service-llm-1-small" },
  ...{ promptTokens, completionTokens },
});

const used = (id: string, promptTokens: number, completionTokens: number) => ({
  ...{ id, promptTokens, completionTokens, estimated: false },
});

const spendableOf = async (db: Database, organizationId: string) => (await readBalance(db, organizationId)).spendable;

async function leaseOf(db: Database, organizationId: string): Promise<IdempotencyLease> {
  const begun = await beginIdempotent(db, { organizationId, route: "POST /v1/chat/completions", key: "k" }, "{}");
  if (begun.outcome !== "started") throw new Error(begun.outcome);
  return begun.lease;
}

/** As if the process that runs the call had died a minute ago. */
async function die(db: Database, id: string): Promise<void> {
  await db.usageCall.update({ where: { id }, data: { leasedUntil: new Date(Date.now() - 1) } });
}

for (const [model, product, prompt, completion, eur] of [
  ["service-llm-1-small", "llm.small", 1, 0, "0.000000650"],
  ["service-llm-1-small", "llm.small", 0, 1, "0.000003750"],
  ["service-llm-1-large", "llm.large", 1, 0, "0.000001500"],
  ["service-llm-1-large", "llm.large", 0, 1, "0.000008000"],
  ["service-llm-1-large", "llm.large", 1_000_000, 1_000_000, "9.500000000"],
  ["service-embed-1", "embed.1", 1, 0, "0.000000280"],
  ["service-embed-1", "embed.1", 1_000_000, 0, "0.280000000"],
] as const) {
  test(`${prompt} + ${completion} tokens of ${model} cost ${eur}`, async (t) => {
    const { db } = t.context;
    const { id: organizationId } = await newOrganization(db, { creditEur: "20" });
    const kind = product === "embed.1" ? "embeddings" : "chat";
    const id = kind === "chat" ? newChatCompletionId() : newEmbeddingId();
    const bounds = { promptTokens: prompt * 2, completionTokens: completion * 2 };
    const call = { id, organizationId, apiKeyId: null, kind, model, ...bounds } as const;
    t.like(await holdUsage(db, call), { outcome: "held" });
    t.deepEqual(await settleUsage(db, used(id, prompt, completion)), {
      ...{ outcome: "settled", chargedEur: eur, writtenOffEur: "0.000000000" },
    });
    const charge = await db.ledgerTransaction.findFirstOrThrow({ where: { organizationId, kind: "charge" } });
    const { lines } = charge.detail as unknown as { lines: { product: string; tokens: number }[] };
    t.deepEqual(
      lines.map((line) => [line.product, line.tokens]),
      kind === "chat"
        ? [
            [`${product}.in`, prompt],
            [`${product}.out`, completion],
          ]
        : [[product, prompt]],
    );
  });
}

test("a hold takes the bound from the spendable; the charge gives back the rest", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "5" });
  const call = chat(organizationId, 1_000_000, 1_000_000);
  t.deepEqual(await holdUsage(db, call), { outcome: "held", heldEur: "4.400000000" });
  t.deepEqual(await readBalance(db, organizationId), {
    ...{ balance: "5.000000000", spendable: "0.600000000", held: "4.400000000" },
  });
  await settleUsage(db, used(call.id, 100_000, 10_000));
  t.deepEqual(await readBalance(db, organizationId), {
    ...{ balance: "4.897500000", spendable: "4.897500000", held: "0.000000000" },
  });
  t.like(await db.usageCall.findUnique({ where: { id: call.id } }), {
    ...{ status: "charged", promptTokens: 100_000n, completionTokens: 10_000n, estimated: false },
  });
});

test("402 for a bound over the spendable, and for anything on a spendable of zero", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "4.4" });
  t.deepEqual(await holdUsage(db, chat(organizationId, 1_000_000, 1_000_001)), {
    ...{ outcome: "insufficient_credit", estimatedEur: "4.400003750" },
  });
  t.like(await holdUsage(db, chat(organizationId, 1_000_000, 1_000_000)), { outcome: "held" });
  t.like(await holdUsage(db, chat(organizationId, 0, 0)), { outcome: "insufficient_credit" });
  t.is(await db.usageCall.count({ where: { organizationId } }), 1);
});

test("holds in one statement follow each other: what the first take is not there for the last", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.0015" });
  const calls = Array.from({ length: 4 }, () => chat(organizationId, 1_000, 0));
  const small = chat(organizationId, 200, 0);
  const outcomes = (await holdUsages(db, [...calls, small])).map(({ outcome }) => outcome);
  t.deepEqual(outcomes, ["held", "held", "insufficient_credit", "insufficient_credit", "held"]);
  t.is(await spendableOf(db, organizationId), "0.000070000");
});

test("settlements in one transaction follow each other: charges, what is written off, events", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.0013", creditLowThresholdEur: "0.001" });
  const [first, second] = [chat(organizationId, 1_000, 0), chat(organizationId, 1_000, 0)];
  await holdUsages(db, [first, second]);
  const settled = await settleUsages(db, [used(first.id, 500, 0), used(second.id, 2_000, 0), used(first.id, 500, 0)]);
  t.deepEqual(settled, [
    { outcome: "settled", chargedEur: "0.000325000", writtenOffEur: "0.000000000" },
    { outcome: "settled", chargedEur: "0.000975000", writtenOffEur: "0.000325000" },
    { outcome: "repeated", chargedEur: "0.000325000", writtenOffEur: "0.000000000" },
  ]);
  const events = await db.event.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } });
  const bodies = events.map(({ body }) => JSON.parse(body) as { event: string; balance_eur: number });
  t.deepEqual(
    bodies.map(({ event, balance_eur }) => [event, balance_eur]),
    [
      ["credit.low", 0.000975],
      ["credit.exhausted", 0],
    ],
  );
  t.deepEqual(await holdUsages(db, []), []);
});

test("500 holds at once on a balance for 10: ten are held", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.0065" });
  const held = await Promise.all(Array.from({ length: 500 }, () => holdUsage(db, chat(organizationId, 1_000, 0))));
  t.is(held.filter(({ outcome }) => outcome === "held").length, 10);
  t.is(held.filter(({ outcome }) => outcome === "insufficient_credit").length, 490);
  t.is(await spendableOf(db, organizationId), "0.000000000");
});

test("a charge over hold and spendable is cut, and the rest is written off", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.001" });
  const call = chat(organizationId, 1_000, 0);
  await holdUsage(db, call);
  t.deepEqual(await settleUsage(db, used(call.id, 10_000, 0)), {
    ...{ outcome: "settled", chargedEur: "0.001000000", writtenOffEur: "0.005500000" },
  });
  t.is(await spendableOf(db, organizationId), "0.000000000");
});

test("every step sent again does nothing more, and ends do not undo each other", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "5" });
  const [charged, released] = [chat(organizationId, 1_000, 0), chat(organizationId, 1_000, 0)];
  for (const call of [charged, released, charged]) t.like(await holdUsage(db, call), { heldEur: "0.000650000" });
  const answers = await Promise.all(Array.from({ length: 8 }, () => settleUsage(db, used(charged.id, 500, 0))));
  t.deepEqual(answers.map(({ outcome }) => outcome).sort(), [...Array(7).fill("repeated"), "settled"]);
  t.deepEqual(new Set(answers.map((answer) => "chargedEur" in answer && answer.chargedEur)), new Set(["0.000325000"]));
  await releaseUsage(db, charged.id);
  await releaseUsage(db, released.id);
  await releaseUsage(db, released.id);
  t.deepEqual(await settleUsage(db, used(released.id, 500, 0)), { outcome: "released" });
  t.is(await spendableOf(db, organizationId), "4.999675000");
  t.is(await db.ledgerTransaction.count({ where: { organizationId } }), 1 + 2 + 1 + 1);
});

test("a renewed call lives; a dead one is released by the sweeper and never billed", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "5" });
  const [living, dead] = [chat(organizationId, 1_000, 0), chat(organizationId, 1_000, 0)];
  for (const call of [living, dead]) {
    await holdUsage(db, call);
    await die(db, call.id);
  }
  t.true(await renewUsage(db, living.id));
  await releaseDeadUsage(db);
  t.false(await renewUsage(db, dead.id));
  t.deepEqual(await settleUsage(db, used(dead.id, 1_000, 0)), { outcome: "released" });
  t.like(await settleUsage(db, used(living.id, 1_000, 0)), { outcome: "settled" });
  t.is(await spendableOf(db, organizationId), "4.999350000");
});

test("the charge finishes the Idempotency-Key with its body, in one transaction", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "5" });
  const lease = await leaseOf(db, organizationId);
  const call = chat(organizationId, 1_000, 0);
  await holdUsage(db, call);
  const idempotency = { lease, response: { status: 200, body: '{"id":"ñ \\u0000"}' } };
  t.like(await settleUsage(db, { ...used(call.id, 1_000, 0), idempotency }), { outcome: "settled" });
  t.like(await settleUsage(db, { ...used(call.id, 1_000, 0), idempotency }), { outcome: "repeated" });
  t.deepEqual(await beginIdempotent(db, lease, "{}"), {
    ...{ outcome: "replay", status: 200, body: '{"id":"ñ \\u0000"}', resource: null },
  });
});

test("a call whose key went to another request is released: only that one is billed", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "5" });
  const response = { status: 200, body: "{}" };
  const [lost, winner] = [chat(organizationId, 1_000, 0), chat(organizationId, 1_000, 0)];
  const lease = await leaseOf(db, organizationId);
  await holdUsage(db, lost);
  await db.idempotencyKey.updateMany({ where: { organizationId }, data: { leasedUntil: new Date(Date.now() - 1) } });
  const second = await leaseOf(db, organizationId);
  await holdUsage(db, winner);
  const settle = (id: string, lease: IdempotencyLease) =>
    settleUsage(db, { ...used(id, 1_000, 0), idempotency: { lease, response } });
  t.deepEqual(await settle(lost.id, lease), { outcome: "idempotency_lost" });
  t.like(await settle(winner.id, second), { outcome: "settled" });
  t.deepEqual(await settle(lost.id, lease), { outcome: "idempotency_lost" });
  t.is(await spendableOf(db, organizationId), "4.999350000");
});

test("a call's charge can be refunded, in parts up to the whole", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const call = chat(organizationId, 1_000_000, 0);
  await holdUsage(db, call);
  await settleUsage(db, used(call.id, 1_000_000, 0));
  const refund = (amountEur: string | null, reference: string) =>
    refundCharge(db, { organizationId, subjectId: call.id, amountEur, reference });
  t.like(await refund("0.15", "a"), { outcome: "refunded", spendable: "0.500000000" });
  t.like(await refund("0.15", "a"), { outcome: "repeated" });
  t.deepEqual(await refund("0.500000001", "b"), { outcome: "exceeds_charge", left: "0.500000000" });
  t.like(await refund(null, "b"), { outcome: "refunded", spendable: "1.000000000" });
});
