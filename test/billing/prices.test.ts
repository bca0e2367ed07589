import anyTest, { type TestFn } from "ava";
import { createTranscript } from "../../billing/create-transcript.ts";
import { MODULES, type Module, transcriptPrices } from "../../billing/prices.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

interface Job {
  ms: number;
  requested?: readonly Module[];
  delivered?: readonly Module[];
  priority?: "standard" | "economy";
  /** Minutes billed in the month before. */
  counter?: number;
}

/** Creates and settles one transcript; answers estimate and charge. */
async function priced({ db }: TestPostgres, job: Job) {
  const organization = await newOrganization(db, { creditEur: "1000" });
  const { requested = [], delivered = requested, priority = "standard", counter = 0 } = job;
  if (counter) {
    const month = new Date().toISOString().slice(0, 7);
    await db.billedMinutes.create({ data: { organizationId: organization.id, month, minutes: counter } });
  }
  const { id: fileId } = await newFile(db, organization.id, job.ms);
  const request = transcriptRequest(organization.id, { fileId, durationMs: job.ms }, { modules: requested, priority });
  const created = await createTranscript(db, request);
  if (created.outcome !== "ok") throw new Error(created.outcome);
  const settled = await settleTranscript(db, settlement(created.id, job.ms, delivered));
  if (settled.outcome !== "settled") throw new Error(settled.outcome);
  return { estimate: Number(created.estimatedEur), charge: Number(settled.chargedEur), id: created.id };
}

test("a started minute of recognition costs 0.39 ÷ 60", async (t) => {
  t.like(await priced(t.context, { ms: 30_000 }), { estimate: 0.0065, charge: 0.0065 });
  t.like(await priced(t.context, { ms: 60_001 }), { charge: 0.013 });
  t.like(await priced(t.context, { ms: 36_000_000 }), { charge: 3.9 });
});

test("minute 60,000 of the month pays 0.39, minute 60,001 pays 0.33, minute 600,001 pays 0.26", async (t) => {
  t.like(await priced(t.context, { ms: 60_000, counter: 59_999 }), { estimate: 0.0065, charge: 0.0065 });
  t.like(await priced(t.context, { ms: 60_000, counter: 60_000 }), { estimate: 0.0055, charge: 0.0055 });
  t.like(await priced(t.context, { ms: 120_000, counter: 59_999 }), { charge: 0.012 });
  // 1.3 ÷ 300 has no end: 0.26 ÷ 60 = 0.004333333…
  t.like(await priced(t.context, { ms: 60_000, counter: 600_000 }), { charge: 0.004333333 });
  t.like(await priced(t.context, { ms: 120_000, counter: 599_999 }), { charge: 0.009833333 });
});

test("fewer than seven modules cost the sum of what was delivered, whatever the priority", async (t) => {
  const six = MODULES.filter((name) => name !== "sentiment_analysis");
  const hour = 3_600_000;
  t.is((await priced(t.context, { ms: hour, requested: ["pii_redaction"] })).charge, 0.48);
  t.is((await priced(t.context, { ms: hour, requested: six })).charge, 0.75);
  t.is((await priced(t.context, { ms: hour, requested: six, priority: "economy" })).charge, 0.75);
  const partly = await priced(t.context, { ms: hour, requested: six, delivered: ["summarization"] });
  t.like(partly, { estimate: 0.75, charge: 0.46 });
});

test("all seven cost the pack, or the sum of what was delivered when that is less", async (t) => {
  const hour = 3_600_000;
  t.is((await priced(t.context, { ms: hour, requested: MODULES })).charge, 0.68);
  t.is((await priced(t.context, { ms: hour, requested: MODULES, priority: "economy" })).charge, 0.61);
  const two: Module[] = ["profanity_filter", "topic_detection"];
  t.is((await priced(t.context, { ms: hour, requested: MODULES, delivered: two })).charge, 0.47);
  t.is((await priced(t.context, { ms: hour, requested: MODULES, delivered: [] })).charge, 0.39);
});

test("a charge says what it was made of", async (t) => {
  const { id } = await priced(t.context, { ms: 120_000, counter: 59_999, requested: ["pii_redaction"] });
  const charge = await t.context.db.ledgerTransaction.findFirst({ where: { transcriptId: id, kind: "charge" } });
  t.deepEqual(charge?.detail, {
    eur: "0.015000000",
    asr: [
      { minutes: 1, eur_per_hour: "0.39" },
      { minutes: 1, eur_per_hour: "0.33" },
    ],
    modules: [{ name: "pii_redaction", eur_per_hour: "0.09" }],
    modules_eur_per_hour: "0.09",
    written_off_eur: "0.000000000",
  });
});

test("a charge of all seven says pack, or which were delivered where those cost less", async (t) => {
  const sold = async (job: Omit<Job, "ms">) => {
    const { id } = await priced(t.context, { ms: 60_000, requested: MODULES, ...job });
    const charge = await t.context.db.ledgerTransaction.findFirstOrThrow({
      where: { transcriptId: id, kind: "charge" },
    });
    return (charge.detail as unknown as { modules: object[] }).modules;
  };
  t.deepEqual(await sold({}), [{ name: "pack", eur_per_hour: "0.29" }]);
  t.deepEqual(await sold({ priority: "economy" }), [{ name: "pack_economy", eur_per_hour: "0.22" }]);
  t.deepEqual(await sold({ delivered: ["topic_detection", "profanity_filter"] }), [
    { name: "profanity_filter", eur_per_hour: "0.02" },
    { name: "topic_detection", eur_per_hour: "0.06" },
  ]);
  t.deepEqual(await sold({ delivered: [] }), []);
});

test("a line is rounded half to even, once, at nine places", async (t) => {
  const { db } = t.context;
  const line = async (rate: string, minutes: number) => {
    const prices = { ...transcriptPrices, asr: [{ from_minutes: 0, eur_per_hour: rate }] };
    const [row] = await db.$queryRaw<{ eur: string }[]>`
      SELECT transcript_line(${JSON.stringify(prices)}::jsonb, 0::bigint, ${minutes}::bigint, 'standard', '{}', '{}') ->> 'eur' AS eur`;
    return row?.eur;
  };
  t.is(await line("0.000000030", 1), "0.000000000"); // 0.5 nano-euros, to even
  t.is(await line("0.000000090", 1), "0.000000002"); // 1.5
  t.is(await line("0.000000031", 1), "0.000000001");
  t.is(await line("0.000000030", 2), "0.000000001"); // exact: the sum is rounded, not its parts
});

test("round_half_even agrees with arithmetic on integers", async (t) => {
  const { db } = t.context;
  const [row] = await db.$queryRaw<{ wrong: number }[]>`
    SELECT count(*)::int AS wrong FROM generate_series(-2500, 2500) AS n
    WHERE round_half_even(n / 1000.0, 2) <> (
      CASE WHEN mod(mod(n, 10) + 10, 10) > 5 OR (mod(mod(n, 10) + 10, 10) = 5 AND mod(floor(n / 10.0), 2) <> 0)
      THEN floor(n / 10.0) + 1 ELSE floor(n / 10.0) END) / 100`;
  t.is(row?.wrong, 0);
});
