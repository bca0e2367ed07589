import anyTest, { type TestFn } from "ava";
import fc from "fast-check";
import { createTranscript } from "../../billing/create-transcript.ts";
import { addCredit, debitCredit, readBalance, refundCharge } from "../../billing/credit.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { MODULES, type Module, type TranscriptPrices, transcriptPrices } from "../../billing/prices.ts";
import { raiseHold } from "../../billing/raise-hold.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import type { Database } from "../../storage/database.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { eur, LedgerModel, nano } from "./ledger-model.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

/** The real list with its tiers within reach of a short history, and rates that leave remainders to round. */
const prices: TranscriptPrices = {
  ...transcriptPrices,
  asr: [
    { from_minutes: 0, eur_per_hour: "0.390000010" },
    { from_minutes: 5, eur_per_hour: "0.330000013" },
    { from_minutes: 60, eur_per_hour: "0.260000030" },
  ],
};
const LIMIT = 4;
const THRESHOLD = "0.3";
const START = "0.5";

type Step =
  | { kind: "credit"; amount: bigint; reference: string }
  | { kind: "debit"; amount: bigint; reference: string }
  | { kind: "create"; url: boolean; ms: number; modules: Module[]; priority: "standard" | "economy" }
  | { kind: "raise"; at: number; ms: number }
  | { kind: "settle"; at: number; ms: number; share: number }
  | { kind: "fail" | "delete"; at: number }
  | { kind: "refund"; at: number; amount: bigint | null; reference: string };

/** Which transcript, modulo those created so far. */
const at = fc.nat({ max: 11 });
const ms = fc.oneof(
  fc.integer({ min: 0, max: 400_000 }),
  fc.constantFrom(0, 1, 59_999, 60_000, 60_001, 3_600_000, 36_000_000),
);
const reference = fc.constantFrom("a", "b", "c", "d", "e", "f");
const priority = fc.constantFrom("standard" as const, "economy" as const);
const modules: fc.Arbitrary<Module[]> = fc.oneof(fc.subarray([...MODULES]), fc.constant<Module[]>([...MODULES]));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("credit" as const),
      amount: fc.oneof(fc.bigInt(1n, 100_000_000n), fc.bigInt(1n, 2_000_000_000n)),
      reference,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("debit" as const), amount: fc.bigInt(1n, 60_000_000n), reference }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("create" as const), url: fc.boolean(), ms, modules, priority }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("raise" as const), at, ms }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("settle" as const), at, ms, share: fc.nat({ max: 7 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      at,
      amount: fc.option(fc.bigInt(1n, 2_000_000n), { freq: 3 }),
      reference: fc.constantFrom("a", "b"),
    }),
  },
);
/** Some steps come twice in a row, as a retried activity's do. */
const history = fc
  .array(fc.record({ step, again: fc.nat({ max: 3 }) }), { minLength: 8, maxLength: 30, size: "max" })
  .map((steps) => steps.flatMap(({ step, again }) => (again === 0 ? [step, step] : [step])));

/** Does a step for real. `ids` are the transcripts created so far, with what each requested. */
async function perform(
  db: Database,
  organizationId: string,
  ids: { id: string; modules: readonly Module[] }[],
  step: Step,
): Promise<string | null> {
  if (step.kind === "credit" || step.kind === "debit") {
    const move = step.kind === "credit" ? addCredit : debitCredit;
    return (await move(db, { organizationId, amountEur: eur(step.amount), reference: step.reference })).outcome;
  }
  if (step.kind === "create") {
    const durationMs = step.ms;
    const source = step.url
      ? { audioUrl: "https://example.com/call.mp3" }
      : { fileId: (await newFile(db, organizationId, durationMs)).id, durationMs };
    const { modules, priority } = step;
    const created = await createTranscript(
      db,
      transcriptRequest(organizationId, source, { modules, priority }),
      prices,
    );
    if (created.outcome === "ok") ids.push({ id: created.id, modules });
    return created.outcome;
  }
  const target = ids[step.at % ids.length];
  if (!target) return null;
  switch (step.kind) {
    case "raise":
      return (await raiseHold(db, target.id, step.ms, prices)).outcome;
    case "settle":
      return (await settleTranscript(db, settlement(target.id, step.ms, target.modules.slice(0, step.share)), prices))
        .outcome;
    case "fail":
      return (await failTranscript(db, target.id, "no")).outcome;
    case "delete":
      return (await deleteTranscript(db, organizationId, target.id)).outcome;
    case "refund": {
      const amountEur = step.amount === null ? null : eur(step.amount);
      const { reference } = step;
      return (await refundCharge(db, { organizationId, subjectId: target.id, amountEur, reference })).outcome;
    }
  }
}

function expected(model: LedgerModel, step: Step): string | null {
  if (step.kind === "credit") return model.move(step.amount, step.reference);
  if (step.kind === "debit") return model.move(-step.amount, step.reference);
  if (step.kind === "create") return model.create(step.url ? 3_600_000 : step.ms, step.modules, step.priority);
  if (model.transcripts.length === 0) return null;
  const at = step.at % model.transcripts.length;
  switch (step.kind) {
    case "raise":
      return model.raise(at, step.ms);
    case "settle":
      return model.settle(at, step.ms, model.transcripts[at]?.requested.slice(0, step.share) ?? []);
    case "fail":
      return model.fail(at);
    case "delete":
      return model.delete(at);
    case "refund":
      return model.refund(at, step.amount, step.reference);
  }
}

/** What must hold whatever happened. Every figure comes from the entries, not from the kept totals. */
async function assertLedgerHolds(db: Database, organizationId: string): Promise<void> {
  const [figures] = await db.$queryRaw<Record<string, number>[]>`
    WITH t AS (SELECT * FROM ledger_transactions WHERE organization_id = ${organizationId}::uuid),
         e AS (SELECT e.*, t.kind, t.transcript_id FROM ledger_entries e JOIN t ON t.id = e.transaction_id),
         r AS (SELECT * FROM transcripts WHERE organization_id = ${organizationId}::uuid)
    SELECT
      (SELECT count(*) FROM (SELECT FROM e GROUP BY transaction_id HAVING sum(amount) <> 0))::int AS unbalanced,
      (SELECT count(*) FROM ledger_accounts a WHERE a.organization_id = ${organizationId}::uuid
        AND a.total <> coalesce((SELECT sum(amount) FROM e WHERE e.account = a.account), 0))::int AS wrong_totals,
      (SELECT count(*) FROM ledger_accounts a WHERE a.organization_id = ${organizationId}::uuid
        AND a.account <> 'funding' AND a.total < 0)::int AS negative,
      (SELECT count(*) FROM (SELECT FROM t WHERE kind = 'charge' GROUP BY transcript_id HAVING count(*) > 1))::int AS twice,
      (SELECT count(*) FROM r WHERE status <> 'completed'
        AND EXISTS (SELECT FROM t WHERE kind = 'charge' AND transcript_id = r.id))::int AS charged_unfinished,
      (SELECT count(*) FROM r WHERE held_eur <> coalesce((
        SELECT sum(amount) FROM e WHERE account = 'held' AND transcript_id = r.id), 0))::int AS wrong_holds,
      (SELECT count(*) FROM r WHERE cost_eur <> coalesce((
        SELECT sum(amount) FROM e WHERE account = 'revenue' AND kind = 'charge' AND transcript_id = r.id), 0))::int AS wrong_costs,
      (SELECT count(*) FROM (SELECT FROM e WHERE account = 'held' AND NOT EXISTS (SELECT FROM r WHERE id = e.transcript_id)
        GROUP BY transcript_id HAVING sum(amount) <> 0))::int AS leaked_holds,
      greatest(0, (SELECT count(*) FROM r WHERE status IN ('queued', 'processing')) - ${LIMIT})::int AS over_limit`;
  for (const [name, count] of Object.entries(figures ?? { none: 1 })) {
    if (count !== 0) throw new Error(`${name}: ${count}`);
  }
}

test.serial("300 random histories end where a model in whole nano-euros ends", async (t) => {
  const { db } = t.context;
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const organization = await newOrganization(db, { creditEur: START, creditLowThresholdEur: THRESHOLD });
      await db.organization.update({ where: { id: organization.id }, data: { inFlightLimit: LIMIT } });
      const model = new LedgerModel(prices, LIMIT, nano(THRESHOLD));
      model.move(nano(START), "first");
      const ids: { id: string; modules: readonly Module[] }[] = [];
      for (const [index, step] of steps.entries()) {
        const want = expected(model, step);
        const got = await perform(db, organization.id, ids, step);
        const key = `${step.kind} ${got}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        if (got !== want) throw new Error(`step ${index} ${step.kind}: ${got}, the model says ${want}`);
      }
      const balance = await readBalance(db, organization.id);
      const figures = {
        spendable: eur(model.balance),
        held: eur(model.held),
        balance: eur(model.balance + model.held),
      };
      if (!sameFigures(balance, figures)) throw new Error(`${JSON.stringify(balance)}, not ${JSON.stringify(figures)}`);
      const events = await db.event.findMany({ where: { organizationId: organization.id } });
      const got = events.map(({ event }) => event).sort();
      if (String(got) !== String([...model.events].sort())) throw new Error(`${got}, not ${model.events}`);
      const counter = await db.billedMinutes.findMany({ where: { organizationId: organization.id } });
      if (Number(counter[0]?.minutes ?? 0) !== model.minutes) throw new Error("the volume counter differs");
      await assertLedgerHolds(db, organization.id);
    }),
    { numRuns: 300, seed: 20_261_121, endOnFailure: true },
  );
  // The histories reach what they are meant to test.
  for (const key of [
    ...["credit added", "credit repeated", "credit reference_reused", "debit debited", "debit insufficient_credit"],
    ...["create ok", "create insufficient_credit", "create concurrency_limit"],
    ...["raise raised", "raise enough", "raise repeated", "raise insufficient_credit", "raise final", "raise gone"],
    ...["settle settled", "settle repeated", "settle final", "settle gone", "fail failed", "fail final", "fail gone"],
    ...["delete deleted", "delete not_found"],
    ...[
      "refund refunded",
      "refund repeated",
      "refund reference_reused",
      "refund exceeds_charge",
      "refund charge_not_found",
    ],
  ]) {
    t.truthy(seen.get(key), key);
  }
});

test.serial("60 histories run eight steps at a time and the ledger holds", async (t) => {
  const { db } = t.context;
  let settled = 0;
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const organization = await newOrganization(db, { creditEur: START, creditLowThresholdEur: THRESHOLD });
      await db.organization.update({ where: { id: organization.id }, data: { inFlightLimit: LIMIT } });
      const ids: { id: string; modules: readonly Module[] }[] = [];
      for (let first = 0; first < steps.length; first += 8) {
        const group = steps.slice(first, first + 8);
        const outcomes = await Promise.all(group.map((step) => perform(db, organization.id, ids, step)));
        settled += outcomes.filter((outcome) => outcome === "settled").length;
        await assertLedgerHolds(db, organization.id);
      }
    }),
    { numRuns: 60, seed: 20_261_121, endOnFailure: true },
  );
  t.true(settled > 20, `${settled} settled`);
});

function sameFigures(a: object, b: object): boolean {
  return Object.entries(a).every(([name, value]) => (b as Record<string, unknown>)[name] === value);
}
