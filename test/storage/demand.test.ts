import test from "ava";
import fc from "fast-check";
import pg from "pg";
import { createTranscript } from "../../billing/create-transcript.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { readDemand } from "../../storage/demand.ts";
import { recordPlan, recordProgress, recordRest, type Work } from "../../storage/transcripts.ts";
import { newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let postgres: TestPostgres;
test.before(async () => {
  postgres = await startTestPostgres();
});
test.after.always(() => postgres?.stop());

const QUEUES = ["media", "speech", "speech-short", "language"];
const work = fc.uniqueArray(
  fc.record({
    queue: fc.constantFrom(...QUEUES),
    chunks: fc.integer({ min: 0, max: 9 }),
    ms: fc.integer({ min: 0, max: 3_000_000 }),
  }),
  { selector: ({ queue }) => queue, maxLength: 4 },
);
const which = fc.nat({ max: 50 });
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("create" as const), organization: fc.nat({ max: 2 }), work }),
    fc.record({ do: fc.constant("plan" as const), which, work }),
    fc.record({ do: fc.constant("rest" as const), which, work }),
    fc.record({
      do: fc.constant("progress" as const),
      which,
      queue: fc.constantFrom(...QUEUES),
      chunks: fc.integer({ min: 0, max: 12 }), // More than planned: a plan may shrink under its workers.
      ms: fc.integer({ min: 0, max: 4_000_000 }),
    }),
    fc.record({ do: fc.constantFrom("fail" as const, "settle" as const, "delete" as const), which }),
  ),
  { minLength: 5, maxLength: 40 },
);

interface Row {
  organization: string;
  id: string;
  final: boolean;
  work: Map<string, { chunks: number; ms: number; doneChunks: number; doneMs: number }>;
}

/** The same steps on a list in memory. */
function plan(row: Row | undefined, next: readonly Work[], others: "dropped" | "done"): void {
  if (!row || row.final) return;
  for (const [queue, own] of row.work) {
    if (next.some((planned) => planned.queue === queue)) continue;
    if (others === "dropped") row.work.delete(queue);
    else Object.assign(own, { doneChunks: own.chunks, doneMs: own.ms });
  }
  for (const { queue, chunks, ms } of next) {
    row.work.set(queue, { ...(row.work.get(queue) ?? { doneChunks: 0, doneMs: 0 }), chunks, ms });
  }
}

function demandOf(rows: readonly Row[]): string[] {
  const sums = new Map<string, { chunks: number; ms: number }>();
  for (const { organization, work: own } of rows.filter(({ final }) => !final)) {
    for (const [queue, { chunks, ms, doneChunks, doneMs }] of own) {
      if (doneChunks >= chunks) continue;
      const sum = sums.get(`${organization} ${queue}`) ?? { chunks: 0, ms: 0 };
      sums.set(`${organization} ${queue}`, {
        chunks: sum.chunks + chunks - doneChunks,
        ms: sum.ms + Math.max(0, ms - doneMs),
      });
    }
  }
  return [...sums].map(([key, { chunks, ms }]) => `${key} ${chunks} ${ms}`).toSorted();
}

const told = async () =>
  (await readDemand(postgres.db))
    .map((it) => `${it.organizationId} ${it.queue} ${it.outstandingChunks} ${it.outstandingMs}`)
    .toSorted();

test.serial(
  "whatever happens, repeated, late or never, demand is what the rows that are not final still want",
  async (t) => {
    const { db } = postgres;
    const organizations = await Promise.all([1, 2, 3].map(() => newOrganization(db, { creditEur: "100000" })));
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const rows: Row[] = [];
        for (const step of history) {
          if (step.do === "create") {
            const organization = organizations[step.organization]?.id ?? "";
            const source = { audioUrl: "https://example.com/a" };
            const created = await createTranscript(db, transcriptRequest(organization, source, { work: step.work }));
            if (created.outcome !== "ok") continue; // 32 in flight
            const row = { organization, id: created.id, final: false, work: new Map() };
            plan(row, step.work, "dropped");
            rows.push(row);
            continue;
          }
          const row = rows[step.which % Math.max(1, rows.length)];
          const id = row?.id ?? "tr_none";
          if (step.do === "plan") {
            await recordPlan(db, id, step.work);
            plan(row, step.work, "dropped");
          } else if (step.do === "rest") {
            await recordRest(db, id, step.work);
            plan(row, step.work, "done");
          } else if (step.do === "progress") {
            await recordProgress(db, id, step);
            const own = row?.work.get(step.queue);
            if (own) own.doneChunks = Math.max(own.doneChunks, step.chunks);
            if (own) own.doneMs = Math.max(own.doneMs, step.ms);
          } else if (row) {
            if (step.do === "fail") await failTranscript(db, id, "no");
            else if (step.do === "settle") await settleTranscript(db, settlement(id, 60_000));
            else await deleteTranscript(db, row.organization, id);
            row.final = true;
          }
          t.deepEqual(await told(), demandOf(rows));
        }
        // Whoever was killed on the way: when a row is final, nothing of it is left.
        for (const { id, final } of rows) if (!final) await failTranscript(db, id, "no");
        t.deepEqual(await told(), []);
      }),
      { numRuns: 40 },
    );
  },
);

test.serial(
  "waits since it was planned, until its first chunk is done; a step without audio waits for nothing",
  async (t) => {
    const { db } = postgres;
    const { id: organization } = await newOrganization(db, { creditEur: "100" });
    const create = async () => {
      const created = await createTranscript(
        db,
        transcriptRequest(organization, { audioUrl: "https://example.com/a" }),
      );
      return created.outcome === "ok" ? created.id : "";
    };
    const [first, second] = [await create(), await create()];
    const before = new Date();
    const planned = [
      { queue: "speech", chunks: 3, ms: 900_000 },
      { queue: "media", chunks: 1, ms: 0 },
    ];
    await recordPlan(db, first, planned);
    const since = async (queue: string) => (await readDemand(db)).find((row) => row.queue === queue)?.waitingSince;
    const asked = await since("speech");
    t.true(asked instanceof Date && asked <= before, "a new plan for the same queue is the old wish");
    t.is(await since("media"), null);
    await recordProgress(db, first, { queue: "speech", chunks: 1, ms: 300_000 });
    const later = await since("speech");
    t.true(later instanceof Date && asked instanceof Date && later > asked);
    await recordProgress(db, second, { queue: "speech", chunks: 1, ms: 60_000 });
    t.is(await since("speech"), null);
    t.is((await readDemand(db)).find(({ queue }) => queue === "speech")?.speechSlots, 32);
    for (const id of [first, second]) await failTranscript(db, id, "no");
  },
);

test.serial("reads what is in flight and nothing else, however much is final", async (t) => {
  const { db } = postgres;
  const { id: organization } = await newOrganization(db, { creditEur: "100" });
  await db.$executeRaw`
    WITH row AS (
      INSERT INTO transcripts (id, organization_id, status, created_at, completed_at, month, deadline_at, audio_url,
        retention, assumed_ms, estimated_eur, held_eur)
      SELECT 'tr_' || n, ${organization}::uuid, CASE WHEN n > 20 THEN 'completed' ELSE 'queued' END,
        now() - n * interval '1 second', CASE WHEN n > 20 THEN now() END, '2026-11', now(), 'https://example.com/a',
        'none', 1, 0, 0
      FROM generate_series(1, 20000) AS n RETURNING id
    )
    INSERT INTO transcript_work (transcript_id, queue, planned_chunks, planned_ms)
    SELECT id, queue, 1, 1000 FROM row, unnest(ARRAY['media', 'speech']) AS queue`;
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query("VACUUM ANALYZE transcripts, transcript_work");
    const statements: string[] = [];
    const recording = {
      $queryRaw: async ({ raw }: TemplateStringsArray) => {
        statements.push(raw.join(""));
        return [];
      },
    };
    await readDemand(recording as unknown as typeof db);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statements[0]}`);
    const text = JSON.stringify(rows);
    t.regex(text, /Index/);
    t.notRegex(text, /"Node Type":"Seq Scan"[^}]*"Relation Name":"(transcripts|transcript_work)"/);
    const most = Math.max(...[...text.matchAll(/"Actual Rows":(\d+)/g)].map(([, count]) => Number(count)));
    t.true(most <= 40, `${most} rows were read`);
  } finally {
    await client.end();
  }
  t.is((await readDemand(db)).find(({ queue }) => queue === "speech")?.outstandingChunks, 20);
  await db.transcript.deleteMany({ where: { organizationId: organization } });
});
