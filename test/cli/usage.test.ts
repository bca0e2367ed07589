import anyTest, { type TestFn } from "ava";
import { createTranscript } from "../../billing/create-transcript.ts";
import { refundCharge } from "../../billing/credit.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { InvoiceMismatch, invoiceOf } from "../../billing/invoice.ts";
import { MODULES, type Module } from "../../billing/prices.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { holdUsage, settleUsage } from "../../billing/usage.ts";
import * as creditDebit from "../../cli/admin/credit-debit.ts";
import * as creditRefund from "../../cli/admin/credit-refund.ts";
import * as usage from "../../cli/admin/usage.ts";
import { UsageError } from "../../cli/command.ts";
import type { Database } from "../../storage/database.ts";
import { newChatCompletionId, newEmbeddingId } from "../../storage/ids.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

const MONTH = new Date().toISOString().slice(0, 7);

type Run = (args: string[], io: Parameters<typeof usage.run>[1]) => Promise<number>;

async function call({ url }: TestPostgres, run: Run, ...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  const io = {
    env: { ESCRIBA_DATABASE_URL: url },
    out: (text: string) => out.push(text),
    error: (text: string) => errors.push(text),
  };
  return { code: await run(args, io), lines: out.join("\n").split("\n"), error: errors.join("\n") };
}

async function transcript(db: Database, organizationId: string, ms: number, modules: readonly Module[] = []) {
  const { id: fileId } = await newFile(db, organizationId, ms);
  const created = await createTranscript(
    db,
    transcriptRequest(organizationId, { fileId, durationMs: ms }, { modules, priority: "economy" }),
  );
  if (created.outcome !== "ok") throw new Error(created.outcome);
  await settleTranscript(db, settlement(created.id, ms, modules));
  return created.id;
}

async function tokens(db: Database, organizationId: string, model: string, prompt: number, completion: number) {
  const kind = model === "service-embed-1" ? "embeddings" : "chat";
  const id = kind === "chat" ? newChatCompletionId() : newEmbeddingId();
  const counts = { promptTokens: prompt, completionTokens: completion };
  await holdUsage(db, { id, organizationId, apiKeyId: null, kind, model, ...counts });
  await settleUsage(db, { id, ...counts, estimated: kind === "chat" });
  return id;
}

/** Every product, both sides of a tier, a rounding, a write-off and a refund. */
async function busyMonth(db: Database) {
  const { id, slug } = await newOrganization(db, { creditEur: "30" });
  await transcript(db, id, 60_000, MODULES);
  await transcript(db, id, 120_000, ["summarization", "pii_redaction"]);
  await db.billedMinutes.update({
    where: { organizationId_month: { organizationId: id, month: MONTH } },
    data: { minutes: 599_999 },
  });
  const deleted = await transcript(db, id, 120_000);
  await transcript(db, id, 60_000);
  await deleteTranscript(db, id, deleted);
  const chat = await tokens(db, id, "service-llm-1-large", 1_000_001, 3);
  await tokens(db, id, "service-llm-1-small", 7, 1);
  await tokens(db, id, "service-embed-1", 11, 0);
  // Charged at three times its hold, and all that is left: the rest is written off.
  const last = newChatCompletionId();
  const hold = { id: last, organizationId: id, apiKeyId: null, kind: "chat" as const, model: "service-llm-1-large" };
  await holdUsage(db, { ...hold, promptTokens: 0, completionTokens: 3_000_000 });
  await settleUsage(db, { id: last, promptTokens: 0, completionTokens: 9_000_000, estimated: false });
  await refundCharge(db, { organizationId: id, subjectId: chat, amountEur: "0.5", reference: "sorry" });
  await refundCharge(db, { organizationId: id, subjectId: deleted, amountEur: null, reference: "deleted" });
  return { id, slug };
}

test("an invoice has a line a product and price, and sums to the ledger's revenue", async (t) => {
  const { db } = t.context;
  const { id, slug } = await busyMonth(db);
  const { code, lines } = await call(t.context, usage.run, slug, "--month", MONTH, "--json");
  t.is(code, 0);
  const invoice = JSON.parse(lines.join(""));
  t.like(invoice, { object: "invoice", organization: slug, month: MONTH, currency: "EUR", charges: 8 });
  const shown = invoice.lines.map((line: Record<string, unknown>) =>
    [line.product, line.quantity, line.unit_price_eur ?? "-", line.amount_eur].join(" "),
  );
  t.deepEqual(shown, [
    "asr.scribe1 3 0.39 0.019500000",
    "asr.scribe1 1 0.33 0.005500000",
    "asr.scribe1 2 0.26 0.008666667",
    "und.pack.economy 1 0.22 0.003666667",
    "und.pii 2 0.09 0.003000000",
    "und.summary 2 0.07 0.002333333",
    "embed.1 11 0.28 0.000003080",
    "llm.large.in 1000001 1.50 1.500001500",
    "llm.large.out 9000003 8.00 72.000024000",
    "llm.small.in 7 0.65 0.000004550",
    "llm.small.out 1 3.75 0.000003750",
    "rounding 8 - -0.000000001",
    "written_off 1 - -43.542703546",
    "refunds 2 - -0.509833333",
  ]);
  const ledger = await db.ledgerAccount.findUniqueOrThrow({
    where: { organizationId_account: { organizationId: id, account: "revenue" } },
  });
  t.is(invoice.total_eur, ledger.total.toFixed(9));
  t.is(invoice.total_eur, "29.490166667");
});

test("the invoice for people is a table that ends with the total", async (t) => {
  const { slug } = await busyMonth(t.context.db);
  const { lines } = await call(t.context, usage.run, slug, "--month", MONTH);
  t.is(lines[0], `${slug}, ${MONTH} (UTC), EUR`);
  t.true(lines.includes("llm.large.in      1000001 tokens  1.50 / million tokens    1.500001500"), lines.join("\n"));
  t.true(lines.includes("Total                  8 charges                          29.490166667"), lines.join("\n"));
});

test("--calls lists every charge and refund, one a line, and they sum to the invoice", async (t) => {
  const { slug } = await busyMonth(t.context.db);
  const { lines } = await call(t.context, usage.run, slug, "--month", MONTH, "--calls", "--json");
  const charges = lines.map((line) => JSON.parse(line));
  t.deepEqual(
    charges.map(({ kind }) => kind),
    [...Array(4).fill("transcript"), "chat", "chat", "embeddings", "chat", "refund", "refund"],
  );
  t.like(charges[4], {
    ...{ model: "service-llm-1-large", prompt_tokens: 1_000_001, completion_tokens: 3, estimated: true },
    ...{ minutes: null, amount_eur: "1.500025500" },
  });
  t.like(charges[8], { id: charges[4].id, amount_eur: "-0.500000000" });
  t.like(charges[2], { minutes: 2, amount_eur: "0.009833333", model: null });
  t.is(charges.reduce((sum, { amount_eur }) => sum + Number(amount_eur), 0).toFixed(9), "29.490166667");
  const { lines: told } = await call(t.context, usage.run, slug, "--month", MONTH, "--calls");
  t.is(told.length, 11);
  t.is(told.at(-1), `10 charges and refunds of ${slug} in ${MONTH}: 29.490166667 EUR`);
});

test("a month without charges is an empty invoice", async (t) => {
  const { slug } = await busyMonth(t.context.db);
  const { code, lines } = await call(t.context, usage.run, slug, "--month", "2020-02", "--json");
  t.deepEqual([code, JSON.parse(lines.join("")).total_eur], [0, "0.000000000"]);
});

test("an invoice that does not sum to the ledger is an error and not an invoice", async (t) => {
  const figures = {
    ...{ asr: [{ rate: "0.39", minutes: "2" }], modules: [], tokens: [], charges: 1, priced: "0.013000000" },
    ...{ written_off: "0", written_off_charges: 0, refunded: "0", refunds: 0, revenue: "0.013000000" },
  };
  t.is(invoiceOf(MONTH, figures).totalEur, "0.013000000");
  t.throws(() => invoiceOf(MONTH, { ...figures, revenue: "0.013000001" }), { instanceOf: InvoiceMismatch });
  const repriced = { ...figures, priced: "0.013000002", revenue: "0.013000002" };
  t.throws(() => invoiceOf(MONTH, repriced), { instanceOf: InvoiceMismatch, message: /products/ });

  // A revenue entry without a charge, which no function of ours writes.
  const { db } = t.context;
  const { id, slug } = await busyMonth(db);
  await db.$executeRaw`SELECT ledger_post(${id}::uuid, 'topup', 'by hand', NULL, NULL, ${MONTH}, '{}',
    '{"funding": "-0.000000001", "revenue": "0.000000001"}')`;
  const { code, lines, error } = await call(t.context, usage.run, slug, "--month", MONTH);
  t.deepEqual([code, lines], [1, [""]]);
  t.regex(error, /sum to 29\.490166667 EUR, the ledger's revenue is 29\.490166668 EUR/);
});

test("credit refund gives back a call or a transcript, once a reference, never more than it cost", async (t) => {
  const { db } = t.context;
  const { id, slug } = await newOrganization(db, { creditEur: "1" });
  const subject = await tokens(db, id, "service-llm-1-small", 1_000_000, 0);
  const refund = (...args: string[]) => call(t.context, creditRefund.run, slug, subject, ...args);
  t.regex((await refund("--amount", "0.15", "--reference", "a")).lines[0] ?? "", /refunded; .* is 0\.5 EUR/);
  t.regex((await refund("--amount", "0.15", "--reference", "a")).lines[0] ?? "", /before under this reference/);
  t.like(await refund("--amount", "0.6"), { code: 1, error: "0.500000000 EUR are left of that charge" });
  t.is((await refund("--amount", "0.2", "--reference", "a")).error, 'the reference "a" was used for another refund');
  t.like(JSON.parse((await refund("--json")).lines[0] ?? ""), { outcome: "refunded", balance_eur: 1 });
  t.regex((await call(t.context, creditRefund.run, slug, "tr_none")).error, /never charged for "tr_none"/);
});

test("credit debit takes back, never more than is spendable", async (t) => {
  const { slug } = await newOrganization(t.context.db, { creditEur: "1" });
  const debit = (...args: string[]) => call(t.context, creditDebit.run, slug, ...args);
  t.regex((await debit("0.4", "--reference", "x")).lines[0] ?? "", /0\.4 EUR taken; .* is 0\.6 EUR/);
  t.regex((await debit("0.4", "--reference", "x")).lines[0] ?? "", /was taken before/);
  t.regex((await debit("0.7")).error, /no more than 0\.600000000 EUR/);
});

test("wrong arguments are usage errors", async (t) => {
  for (const [run, ...args] of [
    [usage.run, "acme"],
    [usage.run, "acme", "--month", "2026-13"],
    [usage.run, "acme", "--month", "November"],
    [creditRefund.run, "acme"],
    [creditRefund.run, "acme", "tr_1", "--amount", "1,5"],
    [creditDebit.run, "acme", "-5"],
  ] as [Run, ...string[]][]) {
    const thrown = await t.throwsAsync(() => call(t.context, run, ...args), undefined, args.join(" "));
    t.true(thrown instanceof UsageError || "code" in thrown, String(thrown));
  }
});
