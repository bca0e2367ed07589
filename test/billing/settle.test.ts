import anyTest, { type TestFn } from "ava";
import pg from "pg";
import { createTranscript } from "../../billing/create-transcript.ts";
import { readBalance } from "../../billing/credit.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { raiseHold } from "../../billing/raise-hold.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import type { Database } from "../../storage/database.ts";
import { readResult, readSubtitles } from "../../storage/results.ts";
import { readTranscript } from "../../storage/transcripts.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

async function create(db: Database, organizationId: string, durationMs: number): Promise<string> {
  const { id: fileId } = await newFile(db, organizationId, durationMs);
  const created = await createTranscript(db, transcriptRequest(organizationId, { fileId, durationMs }));
  if (created.outcome !== "ok") throw new Error(created.outcome);
  return created.id;
}

const bodies = async (db: Database, organizationId: string) =>
  (await db.event.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } })).map(({ body }) =>
    JSON.parse(body),
  );

test("the result is stored as the text it was, beside the charge", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const id = await create(db, organizationId, 61_500);
  const words = `[${Array.from({ length: 90_000 }, (_, at) => `{"text":"w${at}","start":${at}.10,"end":${at}.50,"method":"approx"}`)}]`;
  const result = settlement(id, 61_500, [], { words, text: "ñ 😀", speechMs: 40_000 });
  t.deepEqual(await settleTranscript(db, result), {
    outcome: "settled",
    chargedEur: "0.013000000",
    writtenOffEur: "0.000000000",
  });
  const row = await readTranscript(db, organizationId, id);
  t.like(row, {
    ...{ status: "completed", detectedLanguage: "en", durationMs: 61_500, speechMs: 40_000 },
    ...{ billedMinutes: 2, costEur: "0.013000000", errorMessage: null },
  });
  t.true(row?.completedAt instanceof Date);
  const stored = await readResult(db, id);
  t.is(stored?.words, words);
  t.like(stored, { text: "ñ 😀", pii: null, understanding: "{}", warnings: ["diarization_unavailable"] });
  t.is(await readSubtitles(db, id, "vtt"), result.vtt);
  t.is(await readSubtitles(db, id, "srt"), result.srt);
  t.is(await readSubtitles(db, "tr_none", "txt"), null);
});

test("events are flat, and one charge may fire both credit events", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.0130004", creditLowThresholdEur: "0.01" });
  const id = await create(db, organizationId, 61_500);
  await settleTranscript(db, settlement(id, 61_500));
  const [completed, low, exhausted, ...rest] = await bodies(db, organizationId);
  t.deepEqual(Object.keys(completed), [
    "id",
    "event",
    "created_at",
    "transcript_id",
    "status",
    "language",
    "audio_duration",
  ]);
  t.like(completed, { event: "transcript.completed", transcript_id: id, status: "completed", audio_duration: 61.5 });
  t.regex(completed.id, /^evt_[0-9A-Za-z]{24}$/);
  t.regex(completed.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.like(low, { event: "credit.low", balance_eur: 0, threshold_eur: 0.01 });
  t.like(exhausted, { event: "credit.exhausted", balance_eur: 0 });
  t.is(rest.length, 0);
  // 0.4 micro-euros are left: not shown, and still spendable.
  t.is((await readBalance(db, organizationId)).spendable, "0.000000400");
});

test("settling twice charges once", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const id = await create(db, organizationId, 60_000);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => settleTranscript(db, settlement(id, 60_000))));
  t.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), [...Array(7).fill("repeated"), "settled"]);
  t.is((await readBalance(db, organizationId)).balance, "0.993500000");
  t.is((await bodies(db, organizationId)).length, 1);
});

test("a charge over hold and balance is cut, and the rest is written off", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.01" });
  const id = await create(db, organizationId, 60_000);
  t.deepEqual(await settleTranscript(db, settlement(id, 600_000)), {
    outcome: "settled",
    chargedEur: "0.010000000",
    writtenOffEur: "0.055000000",
  });
  t.deepEqual(await readBalance(db, organizationId), {
    ...{ balance: "0.000000000", spendable: "0.000000000", held: "0.000000000" },
  });
});

test("a raise holds what is missing, once, and fails without changing anything", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.02" });
  const id = await create(db, organizationId, 60_000);
  t.deepEqual(await raiseHold(db, id, 600_000), { outcome: "insufficient_credit" });
  t.is((await readBalance(db, organizationId)).held, "0.006500000");
  t.deepEqual(await raiseHold(db, id, 120_000), { outcome: "raised" });
  t.is((await readBalance(db, organizationId)).held, "0.013000000");
  t.deepEqual(await raiseHold(db, id, 180_000), { outcome: "repeated" });
  t.is((await readBalance(db, organizationId)).held, "0.013000000");
});

test("a failed transcript says why, costs nothing and adds no minutes", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const id = await create(db, organizationId, 60_000);
  t.deepEqual(await failTranscript(db, id, 'broken "audio"\n'), { outcome: "failed" });
  t.like(await readTranscript(db, organizationId, id), {
    status: "failed",
    errorMessage: 'broken "audio"\n',
    costEur: null,
  });
  t.is((await readBalance(db, organizationId)).spendable, "1.000000000");
  t.is(await db.billedMinutes.count({ where: { organizationId } }), 0);
  const [event] = await bodies(db, organizationId);
  t.like(event, {
    event: "transcript.failed",
    transcript_id: id,
    status: "failed",
    error: { message: 'broken "audio"\n' },
  });
  t.deepEqual(await settleTranscript(db, settlement(id, 60_000)), { outcome: "final" });
});

test("settle and delete at the same time: the first to commit wins, and money agrees", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "10" });
  const wins = { settle: 0, delete: 0 };
  for (let round = 0; round < 40; round++) {
    const id = await create(db, organizationId, 60_000);
    const settle = () => settleTranscript(db, settlement(id, 60_000));
    const remove = () => deleteTranscript(db, organizationId, id);
    const [settled, deleted] =
      round % 2 ? await Promise.all([settle(), remove()]) : (await Promise.all([remove(), settle()])).reverse();
    t.is(deleted?.outcome, "deleted");
    const charges = await db.ledgerTransaction.count({ where: { transcriptId: id, kind: "charge" } });
    const events = await db.outbox.count({ where: { transcriptId: id, kind: "transcript.completed" } });
    if (settled?.outcome === "settled") {
      wins.settle += 1;
      t.deepEqual([charges, events], [1, 1]);
    } else {
      wins.delete += 1;
      t.is(settled?.outcome, "gone");
      t.deepEqual([charges, events], [0, 0]);
    }
    t.is(await readTranscript(db, organizationId, id), null);
  }
  const { balance, held } = await readBalance(db, organizationId);
  t.is(held, "0.000000000");
  t.is(Number(balance), Number((10 - wins.settle * 0.0065).toFixed(9)));
});

test("a delete that waits behind an open settle sees it, and the other way round", async (t) => {
  const { db, url } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const [first, second] = [await create(db, organizationId, 60_000), await create(db, organizationId, 60_000)];

  await client.query("BEGIN");
  await client.query("SELECT fail_transcript($1, 'first', $2)", [first, "evt_first"]);
  const waiting = deleteTranscript(db, organizationId, first);
  await client.query("COMMIT");
  t.like(await waiting, { outcome: "deleted", wasInFlight: false });

  await client.query("BEGIN");
  await client.query("SELECT delete_transcript($1, $2)", [organizationId, second]);
  const settling = settleTranscript(db, settlement(second, 60_000));
  await client.query("COMMIT");
  t.deepEqual(await settling, { outcome: "gone" });
  t.is((await readBalance(db, organizationId)).spendable, "1.000000000");
  await client.end();
});

test("the database refuses what the functions would never do", async (t) => {
  const { db, url } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const other = await newOrganization(db, { creditEur: "1" });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused = async (message: RegExp, ...statements: string[]) => {
    await client.query("BEGIN");
    await t.throwsAsync(
      async () => {
        for (const statement of statements) await client.query(statement);
        await client.query("COMMIT");
      },
      { message },
    );
    await client.query("ROLLBACK");
  };
  const transaction = `INSERT INTO ledger_transactions (organization_id, kind, reference, month)
    VALUES ('${organizationId}', 'topup', gen_random_uuid()::text, '2026-11')`;
  const entry = (account: string, amount: string, organization = organizationId) =>
    `INSERT INTO ledger_entries VALUES (currval('ledger_transactions_id_seq'), '${organization}', '${account}', ${amount})`;
  await refused(/sum to 0.5/, transaction, entry("funding", "-1"), entry("balance", "1.5"));
  await refused(/has 0 entries/, transaction);
  await refused(/foreign key/, transaction, entry("funding", "-1"), entry("balance", "1", other.id));
  await refused(/append-only/, "UPDATE ledger_entries SET amount = 0 WHERE false");
  await refused(/append-only/, "DELETE FROM ledger_transactions");
  await refused(/not_overdrawn/, `UPDATE ledger_accounts SET total = -0.000000001 WHERE account = 'held'`);
  await client.end();
});
