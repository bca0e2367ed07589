import anyTest, { type ExecutionContext, type TestFn } from "ava";
import { createTranscript } from "../../billing/create-transcript.ts";
import { addCredit, debitCredit, refundCharge } from "../../billing/credit.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { holdUsage, releaseUsage, settleUsage } from "../../billing/usage.ts";
import type { Database } from "../../storage/database.ts";
import { newChatCompletionId, newEmbeddingId } from "../../storage/ids.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

/** Spends so many millionths of a euro and answers what it was for. */
type Spend = (db: Database, organizationId: string, micros: number) => Promise<string>;

/** At one euro a million tokens a token is a millionth of a euro. */
const prices = { "llm.small.in": "1", "llm.small.out": "1", "llm.large.in": "1", "llm.large.out": "1", "embed.1": "1" };

const tokens =
  (kind: "chat" | "embeddings"): Spend =>
  async (db, organizationId, micros) => {
    const id = kind === "chat" ? newChatCompletionId() : newEmbeddingId();
    const model = kind === "chat" ? "service-llm-1-large" : "service-embed-1";
    const used = { promptTokens: micros, completionTokens: 0 };
    await holdUsage(db, { id, organizationId, apiKeyId: null, kind, model, ...used, prices });
    await settleUsage(db, { id, ...used, estimated: false });
    return id;
  };

/** A minute, priced as wanted. */
const transcript: Spend = async (db, organizationId, micros) => {
  const prices = {
    asr: [{ from_minutes: 0, eur_per_hour: String((micros * 60) / 1_000_000) }],
    ...{ pack: "0", pack_economy: "0", modules: {} as never },
  };
  const { id: fileId } = await newFile(db, organizationId, 60_000);
  const created = await createTranscript(db, transcriptRequest(organizationId, { fileId, durationMs: 60_000 }), prices);
  if (created.outcome !== "ok") throw new Error(created.outcome);
  await settleTranscript(db, settlement(created.id, 60_000), prices);
  return created.id;
};

const debit: Spend = async (db, organizationId, micros) => {
  const amountEur = (micros / 1_000_000).toFixed(6);
  await debitCredit(db, { organizationId, amountEur, reference: newChatCompletionId() });
  return "";
};

const WAYS: Record<string, Spend> = { chat: tokens("chat"), embeddings: tokens("embeddings"), transcript, debit };

async function fired(db: Database, organizationId: string): Promise<{ event: string; balance_eur: number }[]> {
  const rows = await db.event.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } });
  return rows.map(({ body }) => JSON.parse(body)).filter(({ event }) => event.startsWith("credit."));
}

const names = (events: { event: string }[]) => events.map(({ event }) => event);

/** Every credit event has the outbox row that delivers it. */
async function assertDelivered(t: ExecutionContext<TestPostgres>, organizationId: string): Promise<void> {
  const where = { organizationId, kind: { startsWith: "credit." } };
  t.is(await t.context.db.outbox.count({ where }), (await fired(t.context.db, organizationId)).length);
}

for (const [way, spend] of Object.entries(WAYS)) {
  for (const [what, before, threshold, micros, events] of [
    ["from the threshold to below it", "0.001", "0.001", 1, ["credit.low"]],
    ["from above to the threshold itself", "0.001", "0.0009", 100, []],
    ["from above to below", "0.001", "0.0009", 101, ["credit.low"]],
    ["already below", "0.001", "0.002", 100, []],
    ["with no threshold", "0.001", null, 999, []],
    ["past the threshold to nothing", "0.001", "0.0005", 1_000, ["credit.low", "credit.exhausted"]],
    ["to nothing with no threshold", "0.001", null, 1_000, ["credit.exhausted"]],
    ["to what shows as nothing", "0.0010005", null, 1_000, ["credit.exhausted"]],
    ["to what shows as a millionth", "0.001000501", null, 1_000, []],
    ["a threshold of zero is never crossed", "0.001", "0", 1_000, ["credit.exhausted"]],
  ] as const) {
    test(`${way}: ${what}`, async (t) => {
      const { db } = t.context;
      const { id } = await newOrganization(db, { creditEur: before });
      await db.organization.update({ where: { id }, data: { creditLowThresholdEur: threshold } });
      await spend(db, id, micros);
      t.deepEqual(names(await fired(db, id)), [...events]);
      await assertDelivered(t, id);
    });
  }

  test(`${way}: credit.low comes once a crossing; a top-up arms it again and fires nothing`, async (t) => {
    const { db } = t.context;
    const { id } = await newOrganization(db, { creditEur: "0.001", creditLowThresholdEur: "0.0005" });
    await spend(db, id, 600);
    await spend(db, id, 100);
    t.deepEqual(names(await fired(db, id)), ["credit.low"]);
    await addCredit(db, { organizationId: id, amountEur: "0.001", reference: "more" });
    t.is((await fired(db, id)).length, 1);
    await spend(db, id, 900);
    t.deepEqual(names(await fired(db, id)), ["credit.low", "credit.low"]);
    t.is((await fired(db, id)).at(-1)?.balance_eur, 0.0004);
  });

  test(`${way}: a threshold moved past the balance, up or down, fires nothing by itself`, async (t) => {
    const { db } = t.context;
    const { id } = await newOrganization(db, { creditEur: "0.001", creditLowThresholdEur: "0.0005" });
    const move = (creditLowThresholdEur: string | null) =>
      db.organization.update({ where: { id }, data: { creditLowThresholdEur } });
    await move("0.002");
    await spend(db, id, 100);
    await move(null);
    await spend(db, id, 100);
    await move("0.0001");
    await spend(db, id, 100);
    t.deepEqual(await fired(db, id), []);
    await spend(db, id, 650);
    t.deepEqual(names(await fired(db, id)), ["credit.low"]);
  });
}

test("holds, releases and refunds fire nothing, whatever they do to the spendable", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db, { creditEur: "0.001", creditLowThresholdEur: "0.0005" });
  const spent = await tokens("chat")(db, id, 400);
  const call = newChatCompletionId();
  const bound = { promptTokens: 600, completionTokens: 0, prices };
  await holdUsage(db, {
    id: call,
    organizationId: id,
    apiKeyId: null,
    kind: "chat",
    model: "service-llm-1-large",
    ...bound,
  });
  await releaseUsage(db, call);
  await refundCharge(db, { organizationId: id, subjectId: spent, amountEur: null, reference: "r" });
  t.deepEqual(await fired(db, id), []);
});
