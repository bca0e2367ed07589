import anyTest, { type TestFn } from "ava";
import { createTranscript } from "../../billing/create-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { listTranscripts, parseBefore } from "../../storage/transcript-list.ts";
import {
  inFlightTranscripts,
  markProcessing,
  readTranscriptForWork,
  readWork,
  recordPlan,
  recordProgress,
} from "../../storage/transcripts.ts";
import { newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

async function create({ db }: TestPostgres, organizationId?: string) {
  const owner = organizationId ?? (await newOrganization(db, { creditEur: "100" })).id;
  const created = await createTranscript(db, transcriptRequest(owner, { audioUrl: "https://example.com/a" }));
  if (created.outcome !== "ok") throw new Error(created.outcome);
  return { organizationId: owner, id: created.id };
}

test("processing starts once, and never for what is final or deleted", async (t) => {
  const { db } = t.context;
  const { id } = await create(t.context);
  const first = await markProcessing(db, id);
  t.like(first, { id, status: "processing", completedAt: null });
  t.deepEqual((await markProcessing(db, id))?.startedAt, first?.startedAt);
  await failTranscript(db, id, "no");
  t.is(await markProcessing(db, id), null);
  t.is((await readTranscriptForWork(db, id))?.status, "failed");
  t.is(await markProcessing(db, "tr_none"), null);
});

test("the plan replaces what was assumed; progress only grows", async (t) => {
  const { db } = t.context;
  const { id } = await create(t.context);
  t.deepEqual(await readWork(db, id), [
    { queue: "speech", plannedChunks: 1, plannedMs: 60_000, doneChunks: 0, doneMs: 0 },
  ]);
  const plan = [
    { queue: "speech-short", chunks: 4, ms: 240_000 },
    { queue: "media", chunks: 1, ms: 240_000 },
  ];
  await recordPlan(db, id, plan);
  await recordProgress(db, id, { queue: "speech-short", chunks: 3, ms: 180_000 });
  await recordProgress(db, id, { queue: "speech-short", chunks: 2, ms: 120_000 });
  await recordPlan(db, id, plan); // A repeated activity.
  t.deepEqual(await readWork(db, id), [
    { queue: "media", plannedChunks: 1, plannedMs: 240_000, doneChunks: 0, doneMs: 0 },
    { queue: "speech-short", plannedChunks: 4, plannedMs: 240_000, doneChunks: 3, doneMs: 180_000 },
  ]);
  await recordPlan(db, "tr_none", plan);
  await recordProgress(db, "tr_none", { queue: "media", chunks: 1, ms: 1 });
});

test("the sweeper walks through what is not final, oldest first", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "100" });
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) ids.push((await create(t.context, organizationId)).id);
  await settleTranscript(db, settlement(ids[2] ?? "", 60_000));
  const found: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof inFlightTranscripts>> = await inFlightTranscripts(db, {
      olderThanMs: 0,
      limit: 2,
      after,
    });
    if (page.length === 0) break;
    found.push(...page.filter((row) => row.organizationId === organizationId).map(({ id }) => id));
    after = page.at(-1)?.id ?? null;
  }
  t.deepEqual(
    found,
    ids.filter((_, at) => at !== 2),
  );
  const old = await inFlightTranscripts(db, { olderThanMs: 3_600_000, limit: 10 });
  t.deepEqual(
    old.filter((row) => row.organizationId === organizationId),
    [],
  );
});

test("the list filters by status and shows the short form", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db, { creditEur: "100" });
  const [done, failed, queued] = await Promise.all([1, 2, 3].map(() => create(t.context, organizationId)));
  await settleTranscript(db, settlement(done?.id ?? "", 61_000));
  await failTranscript(db, failed?.id ?? "", "why");
  const list = async (status: "completed" | "failed" | "queued" | "cancelled") =>
    (await listTranscripts(db, { organizationId, limit: 10, status })).transcripts;
  t.like((await list("completed"))[0], { id: done?.id, detectedLanguage: "en", durationMs: 61_000, metadata: "{}" });
  t.like((await list("failed"))[0], { id: failed?.id, errorMessage: "why" });
  t.deepEqual(
    (await list("queued")).map(({ id }) => id),
    [queued?.id],
  );
  t.deepEqual(await list("cancelled"), []);
});

test("before compares microseconds, in any offset", async (t) => {
  const { db } = t.context;
  const { organizationId, id } = await create(t.context);
  await db.$executeRaw`UPDATE transcripts SET created_at = '2026-03-01T10:00:00.123456Z' WHERE id = ${id}`;
  const found = async (text: string) =>
    (await listTranscripts(db, { organizationId, limit: 1, before: parseBefore(text) })).transcripts.length;
  t.is(await found("2026-03-01T10:00:00.123456Z"), 0);
  t.is(await found("2026-03-01T10:00:00.123457Z"), 1);
  t.is(await found("2026-03-01T12:00:00.123457+02:00"), 1);
  t.is(await found("2026-03-01T12:00:00.123456+0200"), 0);
  t.is(await found("2026-03-01T10:00:01Z"), 1);
});

test("before must be a date-time that exists", (t) => {
  for (const text of [
    ...["", "now", "infinity", "2026-03-01", "2026-03-01T10:00:00", "1772359200", "2026-02-30T00:00:00Z"],
    ...[
      "2026-13-01T00:00:00Z",
      "2026-03-01T24:00:00Z",
      "2026-03-01T10:60:00Z",
      "0000-01-01T00:00:00Z",
      "-2026-01-01T00:00:00Z",
    ],
    ...[
      "2026-03-01T10:00:00.Z",
      "2026-03-01T10:00:00Z; DROP TABLE x",
      "2026-03-01T10:00:00+99:00",
      "2026-03-01T10:00:00 02:00",
    ],
  ]) {
    t.is(parseBefore(text), null, text);
  }
  t.is(parseBefore("2024-02-29T23:59:59.1234567Z"), "2024-02-29T23:59:59.123456Z");
  t.is(parseBefore("2026-03-01t10:00z"), "2026-03-01T10:00:00.000000Z");
  // Offsets as RFC 3339 has them: PostgreSQL takes less than 16 hours.
  t.is(parseBefore("2026-03-01T10:00:00.5-23:59"), "2026-03-02T09:59:00.500000Z");
  t.is(parseBefore("2026-03-01T10:00:00.5+23:59"), "2026-02-28T10:01:00.500000Z");
  t.is(parseBefore("9999-12-31T23:59:59.000001-01:00"), "9999-12-31T23:59:59.000001Z");
  t.is(parseBefore("0001-01-01T00:00:00+01:00"), "0001-01-01T00:00:00.000000Z");
});
