import anyTest, { type TestFn } from "ava";
import { createTranscript } from "../../billing/create-transcript.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { deleteFile } from "../../storage/files.ts";
import {
  claimOutbox,
  finishOutbox,
  type OutboxRow,
  outboxBacklog,
  pruneOutbox,
  retryOutbox,
} from "../../storage/outbox.ts";
import { newFile, newOrganization, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.beforeEach(async (t) => {
  t.context = await startTestPostgres();
});
test.afterEach.always((t) => t.context.stop?.());

async function fill({ db }: TestPostgres, count: number): Promise<{ organizationId: string; ids: string[] }> {
  const { id: organizationId } = await newOrganization(db, { creditEur: "100" });
  await db.organization.update({ where: { id: organizationId }, data: { inFlightLimit: 1000 } });
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const created = await createTranscript(
      db,
      transcriptRequest(organizationId, { audioUrl: "https://example.com/a" }),
    );
    if (created.outcome === "ok") ids.push(created.id);
  }
  return { organizationId, ids };
}

const START = { kinds: ["transcript.start"], limit: 7, leaseMs: 60_000 } as const;

test.serial("claims at the same time share the rows out, each to one", async (t) => {
  const { ids } = await fill(t.context, 60);
  const claimed: OutboxRow[] = [];
  for (;;) {
    const batches = await Promise.all(Array.from({ length: 6 }, () => claimOutbox(t.context.db, START)));
    t.true(batches.every(({ length }) => length <= 7));
    if (batches.every(({ length }) => length === 0)) break;
    claimed.push(...batches.flat());
  }
  t.deepEqual(claimed.map(({ transcriptId }) => transcriptId).sort(), [...ids].sort());
  t.true(claimed.every(({ attempts }) => attempts === 1));
});

test.serial("oldest first; a lease that ends, or a retry, brings a row back; done stays done", async (t) => {
  const { db } = t.context;
  const { ids } = await fill(t.context, 3);
  const [first, second, third] = await claimOutbox(db, { ...START, leaseMs: 1 });
  t.deepEqual(
    [first, second, third].map((row) => row?.transcriptId),
    ids,
  );
  await finishOutbox(db, [first?.id ?? 0n]);
  await retryOutbox(db, second?.id ?? 0n, { delayMs: 3_600_000, error: "Temporal is away" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const again = await claimOutbox(db, START);
  t.deepEqual(
    again.map(({ id, attempts }) => [id, attempts]),
    [[third?.id, 2]],
  );
  t.is((await db.outbox.findUnique({ where: { id: second?.id ?? 0n } }))?.lastError, "Temporal is away");
  const [backlog] = await outboxBacklog(db);
  t.like(backlog, { kind: "transcript.start", waiting: 2 });
  t.is(await pruneOutbox(db, 3_600_000), 0);
  t.is(await pruneOutbox(db, 0), 1);
});

test.serial("a kind nobody asked for is left alone", async (t) => {
  await fill(t.context, 1);
  t.deepEqual(await claimOutbox(t.context.db, { ...START, kinds: ["transcript.completed", "credit.low"] }), []);
});

test.serial("a file's delete leaves its object for the relay, in case the caller dies", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db);
  const file = await newFile(db, organizationId, 1_000);
  t.is((await deleteFile(db, organizationId, file.id)).outcome, "deleted");
  t.is((await deleteFile(db, organizationId, file.id)).outcome, "not_found");
  const rows = await claimOutbox(db, { ...START, kinds: ["file.delete"] });
  t.deepEqual(
    rows.map(({ payload }) => payload),
    [{ uploadKey: file.objectKey }],
  );
});

test.serial("a delete takes the start back and leaves work for the relay", async (t) => {
  const { db } = t.context;
  const { organizationId, ids } = await fill(t.context, 1);
  const [transcriptId = ""] = ids;
  await deleteTranscript(db, organizationId, transcriptId);
  t.deepEqual(await claimOutbox(db, START), []);
  const [row] = await claimOutbox(db, { ...START, kinds: ["transcript.delete"] });
  t.deepEqual(row?.payload, { transcriptId, organizationId, wasInFlight: true, uploadKey: null });
});
