import { randomUUID } from "node:crypto";
import anyTest, { type TestFn } from "ava";
import fc from "fast-check";
import { readInvoice } from "../../billing/invoice.ts";
import { tokenPrices, transcriptPrices } from "../../billing/prices.ts";
import type { Database } from "../../storage/database.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { type Created, expected, type History, history, perform } from "./history.ts";
import { assertLedgerHolds, type End, readEnds, watchInFlight } from "./ledger-holds.ts";
import { eur, LedgerModel, nano, type Rules } from "./ledger-model.ts";
import { Script } from "./script.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
  await watchInFlight(t.context.db);
});
test.after.always((t) => t.context.stop?.());

const HISTORIES = 10_000;
const SEED = 20_261_121;
/** Histories whose ends are read together. */
const TOGETHER = 50;
/** Histories under way at a time, each in an organization of its own. */
const LANES = 3;
const MOST_CLIENTS = 4;
const LIMIT = 3;
const THRESHOLD = "0.3";
const MONTHS: [string, string] = ["2031-01", "2031-02"];
const EDGE = "2031-02-01T00:00:00Z";

/** Rates that leave remainders to round. */
const oddPrices = {
  ...transcriptPrices,
  asr: transcriptPrices.asr.map((tier, at) => ({ ...tier, eur_per_hour: `${tier.eur_per_hour}00000${at + 1}7` })),
};
const oddTokenPrices = { ...tokenPrices, "llm.small.in": "0.6512345", "llm.large.out": "8.0000005" };

interface Run {
  organizationId: string;
  history: History;
  rules: Rules;
  model: LedgerModel;
  created: Created;
}

function newRun(history: History): Run {
  const rules: Rules = {
    prices: history.listPrices ? transcriptPrices : oddPrices,
    tokenPrices: history.listPrices ? tokenPrices : oddTokenPrices,
    ...{ limit: LIMIT, threshold: nano(THRESHOLD), months: MONTHS, before: history.before },
    ...{ today: new Date().toISOString().slice(0, 7), counters: history.counters },
  };
  const created = { transcripts: [], calls: [] };
  return { organizationId: randomUUID(), history, rules, model: new LedgerModel(rules), created };
}

/** Its transcripts come one microsecond after the other, the first `before` of them before the month's edge. */
async function createOrganizations(db: Database, runs: Run[]): Promise<void> {
  const rows = runs.map(({ organizationId, history: { before, counters } }) => ({
    ...{ id: organizationId, before, first: counters[0], second: counters[1] },
  }));
  await db.$executeRaw`
    WITH rows AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, before int, first int, second int)),
    created AS (
      INSERT INTO organizations (id, slug, in_flight_limit, credit_low_threshold_eur, last_transcript_at)
      SELECT id, 'h-' || id, ${LIMIT}::int, ${THRESHOLD}::text::numeric,
        ${EDGE}::text::timestamptz - (before + 1) * interval '1 microsecond'
      FROM rows RETURNING id)
    INSERT INTO billed_minutes (organization_id, month, minutes)
    SELECT r.id, m.month, m.minutes FROM created JOIN rows r USING (id),
      LATERAL (VALUES (${MONTHS[0]}, first), (${MONTHS[1]}, second)) AS m (month, minutes) WHERE m.minutes > 0`;
}

/** One client: it must be answered as the model says. */
async function alone(run: Run, script: Script, steps: History["steps"], seen: Map<string, number>): Promise<void> {
  const { organizationId, rules, model, created } = run;
  const answers = steps.map(async ({ step, fate }, index) => {
    let want = expected(model, step);
    const made = want === "ok" || want === "held";
    // The answer is that of the second time; what was made under an id is not made again.
    if ((fate === "again" || fate === "cut after") && !made) want = expected(model, step);
    const answer = perform(script, fate, rules, organizationId, created, step);
    // What was refused is not there to be used later.
    if (step.kind === "create" && !made) created.transcripts.pop();
    if (step.kind === "hold" && !made) created.calls.pop();
    const got = await answer;
    count(seen, `${step.kind} ${got}`);
    if (got !== want) throw new Error(`step ${index} ${step.kind}: ${got}, the model says ${want}`);
  });
  await Promise.all([Promise.all(answers), script.send()]);
}

/** Several clients at once: the order is theirs, and what must hold is looked at when they are done. */
async function together(run: Run, scripts: Script[], steps: History["steps"], seen: Map<string, number>) {
  const { organizationId, rules, created } = run;
  const answers = steps.map(async ({ step, fate }, index) => {
    const script = scripts[index % scripts.length] as Script;
    count(seen, `together: ${step.kind} ${await perform(script, fate, rules, organizationId, created, step)}`);
  });
  await Promise.all([Promise.all(answers), ...scripts.map((script) => script.send())]);
}

async function follow(run: Run, scripts: Script[], seen: Map<string, number>): Promise<void> {
  const { openers, steps, clients } = run.history;
  if (clients === 1) return alone(run, scripts[0] as Script, [...openers, ...steps], seen);
  await alone(run, scripts[0] as Script, openers, seen);
  await together(run, scripts.slice(0, clients), steps, seen);
}

const count = (seen: Map<string, number>, key: string) => seen.set(key, (seen.get(key) ?? 0) + 1);

function compare(run: Run, end: End | undefined): void {
  const { model, rules } = run;
  const money = (amounts: Map<string, bigint>) =>
    Object.fromEntries(
      [...amounts].filter(([, amount]) => amount !== 0n).map(([month, amount]) => [month, eur(amount)]),
    );
  const want = {
    balance: eur(model.balance),
    held: eur(model.held),
    events: [...model.events].sort().join(),
    minutes: Object.fromEntries([...model.minutes].filter(([, minutes]) => minutes > 0)),
    revenue: money(model.revenue),
  };
  const got = {
    ...{ balance: end?.balance, held: end?.held, events: end?.events.sort().join(), minutes: end?.minutes },
    revenue: Object.fromEntries(Object.entries(end?.revenue ?? {}).filter(([, amount]) => nano(amount) !== 0n)),
  };
  const text = (value: object) => JSON.stringify(value, [...Object.keys(want), ...rules.months, rules.today]);
  if (text(got) !== text(want)) throw told(run, new Error(`${text(got)}, the model says ${text(want)}`));
}

const told = (run: Run, error: unknown) =>
  new Error(
    `${error instanceof Error ? error.message : error}\n${JSON.stringify(run.history, (_, value) => (typeof value === "bigint" ? `${value}n` : value))}`,
    { cause: error },
  );

test(`${HISTORIES} random histories with crashes, repeats and concurrent clients keep the ledger`, async (t) => {
  const { db, url } = t.context;
  const seen = new Map<string, number>();
  const lanes = Array.from({ length: LANES }, () => Array.from({ length: MOST_CLIENTS }, () => new Script(url)));
  let invoices = 0;
  try {
    for (let first = 0; first < HISTORIES; first += TOGETHER) {
      const runs = fc.sample(history, { numRuns: TOGETHER, seed: SEED + first }).map(newRun);
      await createOrganizations(db, runs);
      const waiting = [...runs];
      await Promise.all(
        lanes.map(async (scripts) => {
          for (let run = waiting.shift(); run; run = waiting.shift()) {
            await follow(run, scripts, seen).catch((error) => Promise.reject(told(run, error)));
          }
        }),
      );
      const ids = runs.map(({ organizationId }) => organizationId);
      await assertLedgerHolds(db, ids);
      const ends = new Map((await readEnds(db, ids)).map((end) => [end.id, end]));
      for (const run of runs) if (run.history.clients === 1) compare(run, ends.get(run.organizationId));
      // Of some, the invoices: each throws unless its lines sum to the ledger's revenue.
      for (const { organizationId } of runs.slice(0, 3)) {
        for (const [month, revenue] of Object.entries(ends.get(organizationId)?.revenue ?? {})) {
          t.is(nano((await readInvoice(db, organizationId, month)).totalEur), nano(revenue));
          invoices += 1;
        }
      }
    }
  } finally {
    await Promise.all(lanes.flat().map((script) => script.close()));
  }
  t.true(invoices > 300, `${invoices} invoices`);
  // The histories reach what they are meant to test.
  const reached = {
    credit: ["added", "repeated", "reference_reused"],
    debit: ["debited", "insufficient_credit"],
    create: ["ok", "insufficient_credit", "concurrency_limit"],
    raise: ["raised", "enough", "repeated", "insufficient_credit", "final", "gone"],
    settle: ["settled", "repeated", "final", "gone"],
    fail: ["failed", "final", "gone"],
    delete: ["deleted", "not_found"],
    hold: ["held", "insufficient_credit"],
    charge: ["settled", "repeated", "released"],
    refund: ["refunded", "repeated", "reference_reused", "exceeds_charge", "charge_not_found"],
  };
  for (const [kind, outcomes] of Object.entries(reached)) {
    for (const outcome of outcomes) {
      t.true((seen.get(`${kind} ${outcome}`) ?? 0) >= 20, `${kind} ${outcome}: ${seen.get(`${kind} ${outcome}`)}`);
      t.truthy(seen.get(`together: ${kind} ${outcome}`), `together: ${kind} ${outcome}`);
    }
  }
});
