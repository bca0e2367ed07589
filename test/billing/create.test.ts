import anyTest, { type TestFn } from "ava";
import { type CreatedTranscript, createTranscript } from "../../billing/create-transcript.ts";
import { readBalance } from "../../billing/credit.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import type { Database } from "../../storage/database.ts";
import { deleteFile, readFile } from "../../storage/files.ts";
import { listTranscripts } from "../../storage/transcript-list.ts";
import { markProcessing, readTranscript } from "../../storage/transcripts.ts";
import type { TranscribeInput } from "../../workflows/names.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

/** A transcript of a file of one minute: 0.0065 EUR. */
async function createFrom(db: Database, organizationId: string, fileId: string): Promise<CreatedTranscript> {
  return createTranscript(db, transcriptRequest(organizationId, { fileId, durationMs: 60_000 }));
}

const idOf = (created: CreatedTranscript): string => {
  if (created.outcome !== "ok") throw new Error(created.outcome);
  return created.id;
};

const counted = (outcomes: CreatedTranscript[]) => {
  const counts: Record<string, number> = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

test("200 at once on a balance for 10: ten are accepted", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "0.065" });
  const file = await newFile(db, organization.id, 60_000);
  const created = await Promise.all(Array.from({ length: 200 }, () => createFrom(db, organization.id, file.id)));
  t.deepEqual(counted(created), { ok: 10, insufficient_credit: 190 });
  t.deepEqual(await readBalance(db, organization.id), {
    balance: "0.065000000",
    spendable: "0.000000000",
    held: "0.065000000",
  });
  const page = await listTranscripts(db, { organizationId: organization.id, limit: 100 });
  t.is(page.transcripts.length, 10);
});

test("100 at once with credit to spare: 32 in flight, and a finished one makes room", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "10" });
  const file = await newFile(db, organization.id, 60_000);
  const created = await Promise.all(Array.from({ length: 100 }, () => createFrom(db, organization.id, file.id)));
  t.deepEqual(counted(created), { ok: 32, concurrency_limit: 68 });
  const ids = created.filter(({ outcome }) => outcome === "ok").map(idOf);
  await settleTranscript(db, settlement(ids[0] ?? "", 60_000));
  await failTranscript(db, ids[1] ?? "", "no");
  await deleteTranscript(db, organization.id, ids[2] ?? "");
  const again = await Promise.all(Array.from({ length: 5 }, () => createFrom(db, organization.id, file.id)));
  t.deepEqual(counted(again), { ok: 3, concurrency_limit: 2 });
});

test("refusals come in order: file, in flight, credit; and take nothing", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "0.0065" });
  const other = await newOrganization(db, { creditEur: "1" });
  const [file, foreign] = [await newFile(db, organization.id, 60_000), await newFile(db, other.id, 60_000)];
  await db.organization.update({ where: { id: organization.id }, data: { inFlightLimit: 1 } });
  t.is((await createFrom(db, organization.id, file.id)).outcome, "ok");
  // All three would refuse now.
  t.is((await createFrom(db, organization.id, foreign.id)).outcome, "file_not_found");
  t.is((await createFrom(db, organization.id, "file_unknown")).outcome, "file_not_found");
  t.deepEqual(await createFrom(db, organization.id, file.id), { outcome: "concurrency_limit", limit: 1 });
  await db.organization.update({ where: { id: organization.id }, data: { inFlightLimit: 2 } });
  t.deepEqual(await createFrom(db, organization.id, file.id), {
    outcome: "insufficient_credit",
    estimatedEur: "0.006500000",
  });
  t.is(await db.ledgerTransaction.count({ where: { organizationId: organization.id } }), 2);
  t.is(await db.outbox.count({ where: { organizationId: organization.id } }), 1);
});

test("a balance of zero refuses even what costs nothing", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db);
  const file = await newFile(db, organization.id, 60_000);
  t.is((await createFrom(db, organization.id, file.id)).outcome, "insufficient_credit");
});

test("the start row carries the workflow's input, economy with a quarter of the weight", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "1" });
  for (const [priority, key, weight] of [
    ["standard", organization.id, 1],
    ["economy", `${organization.id}/economy`, 0.25],
  ] as const) {
    const { id: fileId } = await newFile(db, organization.id, 60_000);
    const source = { fileId, durationMs: 60_000 };
    const id = idOf(await createTranscript(db, transcriptRequest(organization.id, source, { priority })));
    const row = await readTranscript(db, organization.id, id);
    const start = await db.outbox.findFirst({ where: { transcriptId: id } });
    t.is(start?.kind, "transcript.start");
    const input: TranscribeInput = {
      transcriptId: id,
      organizationId: organization.id,
      fairnessKey: key,
      fairnessWeight: weight,
      deadlineAt: (row?.createdAt.getTime() ?? 0) + 48 * 3_600_000,
    };
    t.deepEqual(start?.payload, input as never);
  }
});

test("created_at is unique and ascending in the organization, whatever the clock does", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "1" });
  const file = await newFile(db, organization.id, 60_000);
  // As if the clock had been set back by a minute since the newest row.
  const ahead = new Date(Date.now() + 60_000);
  await db.organization.update({ where: { id: organization.id }, data: { lastTranscriptAt: ahead } });
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) ids.push(idOf(await createFrom(db, organization.id, file.id)));
  const rows = await db.$queryRaw<{ id: string; micros: bigint }[]>`
    SELECT id, (extract(epoch FROM created_at) * 1000000)::bigint AS micros FROM transcripts
    WHERE organization_id = ${organization.id}::uuid ORDER BY created_at`;
  t.deepEqual(
    rows.map(({ id }) => id),
    ids,
  );
  const first = BigInt(ahead.getTime()) * 1000n;
  t.deepEqual(
    rows.map(({ micros }) => micros - first),
    ids.map((_, at) => BigInt(at + 1)),
  );

  // The list walks through them although they share a millisecond.
  const listed: string[] = [];
  let before: string | null = null;
  do {
    const page = await listTranscripts(db, { organizationId: organization.id, limit: 5, before });
    listed.push(...page.transcripts.map(({ id }) => id));
    before = page.nextBefore;
    if (before) t.regex(before, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  } while (before);
  t.deepEqual(listed, ids.toReversed());
});

test("retention is the request's, else the organization's, and says when it ends", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "1" });
  await db.organization.update({ where: { id: organization.id }, data: { defaultRetention: "7d" } });
  const days = async (retention: "none" | "24h" | "30d" | null) => {
    const { id: fileId } = await newFile(db, organization.id, 60_000);
    const request = transcriptRequest(organization.id, { fileId, durationMs: 60_000 }, { retention });
    const row = await readTranscript(db, organization.id, idOf(await createTranscript(db, request)));
    return row?.expiresAt && (row.expiresAt.getTime() - row.createdAt.getTime()) / 86_400_000;
  };
  t.deepEqual([await days(null), await days("24h"), await days("30d"), await days("none")], [7, 1, 30, null]);
});

test("metadata comes back as the text it was", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "1" });
  const metadata = '{"z":1,"a":12345678901234567890, "z":2,"t":"\\u0000 é \\"q\\"","f":1.10}';
  const request = transcriptRequest(organization.id, { audioUrl: "https://example.com/a" }, { metadata });
  const id = idOf(await createTranscript(db, request));
  t.is((await readTranscript(db, organization.id, id))?.metadata, metadata);
});

test("a file in use is kept; deleting the last transcript that used it takes it along", async (t) => {
  const { db } = t.context;
  const organization = await newOrganization(db, { creditEur: "1" });
  const file = await newFile(db, organization.id, 60_000);
  const [one, two] = [
    idOf(await createFrom(db, organization.id, file.id)),
    idOf(await createFrom(db, organization.id, file.id)),
  ];
  t.deepEqual(await deleteFile(db, organization.id, file.id), { outcome: "in_use" });
  t.deepEqual(await deleteTranscript(db, organization.id, one), {
    outcome: "deleted",
    wasInFlight: true,
    uploadKey: null,
  });
  t.truthy(await readFile(db, organization.id, file.id));
  await markProcessing(db, two);
  await settleTranscript(db, settlement(two, 60_000));
  t.deepEqual(await deleteTranscript(db, organization.id, two), {
    outcome: "deleted",
    wasInFlight: false,
    uploadKey: file.objectKey,
  });
  t.is(await readFile(db, organization.id, file.id), null);
  t.deepEqual(await deleteFile(db, organization.id, file.id), { outcome: "not_found" });
});

test("another organization deletes neither transcript nor file", async (t) => {
  const { db } = t.context;
  const [owner, other] = [await newOrganization(db, { creditEur: "1" }), await newOrganization(db)];
  const file = await newFile(db, owner.id, 60_000);
  const id = idOf(await createFrom(db, owner.id, file.id));
  t.deepEqual(await deleteTranscript(db, other.id, id), { outcome: "not_found" });
  t.deepEqual(await deleteFile(db, other.id, file.id), { outcome: "not_found" });
  t.is((await readTranscript(db, owner.id, id))?.status, "queued");
  t.is(await readTranscript(db, other.id, id), null);
});
