import test from "ava";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { markProcessing } from "../../storage/transcripts.ts";
import { newFile, settlement } from "../support/organization.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

let harness: Harness;
let tenant: Tenant;
test.before(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

async function create(who = tenant, fields: object = {}): Promise<string> {
  const file = await newFile(harness.postgres.db, who.organizationId, 90_000);
  const { body } = await who.call("POST", "/v1/transcripts", { json: { file_id: file.id, ...fields } });
  return body.id;
}

test("200: queued, then processing, then completed in full, billed by started minutes", async (t) => {
  const id = await create(tenant, { metadata: { order: 7 } });
  const queued = (await tenant.call("GET", `/v1/transcripts/${id}`)).body;
  t.is(queued.status, "queued");
  t.deepEqual(Object.keys(queued), ["id", "object", "status", "created_at", "completed_at", "metadata", "error"]);
  t.is(queued.completed_at, null);
  await markProcessing(harness.postgres.db, id);
  t.is((await tenant.call("GET", `/v1/transcripts/${id}`)).body.status, "processing");
  const words = '[ {"text":"hello","start":0.10,"end":0.5,"method":"approx"} ]';
  await settleTranscript(harness.postgres.db, settlement(id, 90_000, [], { words }));
  const { body, text } = await tenant.call("GET", `/v1/transcripts/${id}`);
  t.is(body.status, "completed");
  t.is(body.error, null);
  t.deepEqual(body.metadata, { order: 7 });
  t.is(body.audio_duration, 90);
  t.is(body.billed_duration, 120);
  t.is(body.language, "en");
  t.is(body.text, "hello");
  t.is(body.speaker_role_confidence, 0);
  t.deepEqual(body.understanding, {});
  t.is(body.pii, null);
  t.deepEqual(body.warnings, ["diarization_unavailable"]);
  t.is(body.usage.total_eur, 0.013);
  // As it was settled, to the byte: parsed and written again, the spaces and the zero would be gone.
  t.true(text.includes(`"words":${words},`));
  t.is((await tenant.call("GET", `/v1/transcripts/${id}.srt`)).text, settlement(id, 1).srt);
  t.is((await tenant.call("GET", `/v1/transcripts/${id}.vtt`)).text, settlement(id, 1).vtt);
  t.is((await tenant.call("GET", `/v1/transcripts/${id}.txt`)).text, settlement(id, 1).txt);
});

test("200: 90,000 words", async (t) => {
  const id = await create();
  const words = Array.from({ length: 90_000 }, (_, index) => ({
    text: `palabra${index}`,
    start: index * 0.4,
    end: index * 0.4 + 0.3,
    method: "approx",
  }));
  const text = words.map((word) => word.text).join(" ");
  await settleTranscript(harness.postgres.db, settlement(id, 36_000_000, [], { words: JSON.stringify(words), text }));
  const { status, body } = await tenant.call("GET", `/v1/transcripts/${id}`);
  t.is(status, 200);
  t.is(body.words.length, 90_000);
  t.deepEqual(body.words.at(-1), words.at(-1));
  t.is(body.text, text);
});

test("what is read, listed, refused or deleted is not billed: the ledger has the top-up alone", async (t) => {
  const owner = await harness.tenant();
  for (const [method, path] of [
    ["GET", "/v1/me"],
    ["GET", "/v1/balance"],
    ["GET", "/v1/models"],
    ["GET", "/v1/models/service-scribe-1"],
    ["GET", "/v1/transcripts"],
    ["GET", "/v1/transcripts/tr_x"],
    ["POST", "/v1/transcripts"],
    ["GET", "/v1/files/file_x"],
    ["DELETE", "/v1/transcripts/tr_x"],
  ] as const) {
    await owner.call(method, path);
  }
  const where = { organizationId: owner.organizationId };
  const kinds = await harness.postgres.db.ledgerTransaction.findMany({ where, select: { kind: true } });
  t.deepEqual(kinds, [{ kind: "topup" }]);
  t.is((await owner.call("GET", "/v1/balance")).body.balance_eur, 100);
});

test("200: failed says why, in the short form, with its end", async (t) => {
  const id = await create();
  await failTranscript(harness.postgres.db, id, "The audio is damaged.");
  const { body } = await tenant.call("GET", `/v1/transcripts/${id}`);
  t.is(body.status, "failed");
  t.deepEqual(body.error, { message: "The audio is damaged." });
  t.not(body.completed_at, null);
  t.false("words" in body);
});

test("409 transcript_not_completed: subtitles and text before the end, and of a failed one", async (t) => {
  const id = await create();
  for (const format of ["srt", "vtt", "txt"]) {
    const { status, body, headers } = await tenant.call("GET", `/v1/transcripts/${id}.${format}`);
    t.is(status, 409);
    t.is(body.error.code, "transcript_not_completed");
    t.is(headers.get("x-should-retry"), "false");
  }
  await failTranscript(harness.postgres.db, id, "no");
  t.is((await tenant.call("GET", `/v1/transcripts/${id}.txt`)).status, 409);
});

test("404: another organization's transcript, by every route, and a format that is none", async (t) => {
  const id = await create();
  const other = await harness.tenant();
  for (const [method, path] of [
    ["GET", id],
    ["GET", `${id}.srt`],
    ["GET", `${id}.vtt`],
    ["GET", `${id}.txt`],
    ["DELETE", id],
  ] as const) {
    const { status, body } = await other.call(method, `/v1/transcripts/${path}`);
    t.is(status, 404, path);
    t.is(body.error.code, "resource_not_found");
  }
  t.is((await other.call("GET", "/v1/transcripts")).body.data.length, 0);
  t.is((await tenant.call("GET", `/v1/transcripts/${id}.pdf`)).status, 404);
  t.is((await tenant.call("GET", `/v1/transcripts/${id}`)).status, 200);
});

test("200 deleted, then 404; the hold is released and the worker is told", async (t) => {
  const owner = await harness.tenant({ credit: "0.013" });
  const id = await create(owner);
  const gone = await owner.call("DELETE", `/v1/transcripts/${id}`);
  t.deepEqual(gone.body, { id, object: "transcript", deleted: true });
  t.is((await owner.call("GET", `/v1/transcripts/${id}`)).status, 404);
  t.is((await owner.call("DELETE", `/v1/transcripts/${id}`)).status, 404);
  const told = await harness.postgres.db.outbox.findMany({ where: { transcriptId: id, kind: "transcript.delete" } });
  t.is(told.length, 1);
  t.is(typeof (await create(owner)), "string");
});

test("200: pages newest first, no row lost or repeated, several in the same millisecond", async (t) => {
  const owner = await harness.tenant();
  const ids: string[] = [];
  for (let made = 0; made < 7; made += 1) ids.push(await create(owner));
  for (const [index, id] of ids.entries()) {
    // 2026-01-01 00:00:00.123000 to .123003, then one of another millisecond each.
    const micros = index < 4 ? 123_000 + index : 124_000 + index * 1_000;
    await harness.postgres.db.$executeRaw`
      UPDATE transcripts SET created_at = timestamptz '2026-01-01 00:00:00Z' + ${micros} * interval '1 microsecond'
      WHERE id = ${id}`;
  }
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const query: string = before === null ? "limit=2" : `limit=2&before=${encodeURIComponent(before)}`;
    const { body } = await owner.call("GET", `/v1/transcripts?${query}`);
    t.is(body.object, "list");
    t.is(body.has_more, body.next_before !== null);
    if (body.next_before !== null) t.regex(body.next_before, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    seen.push(...body.data.map((item: { id: string }) => item.id));
    before = body.next_before;
  } while (before !== null);
  t.deepEqual(seen, ids.toReversed());
});

test("200: the list filters by status; an item is the short form, with language and duration when completed", async (t) => {
  const owner = await harness.tenant();
  const done = await create(owner);
  const waiting = await create(owner, { metadata: { n: 1 } });
  await settleTranscript(harness.postgres.db, settlement(done, 90_000));
  const completed = (await owner.call("GET", "/v1/transcripts?status=completed")).body.data;
  t.deepEqual(
    completed.map((item: { id: string }) => item.id),
    [done],
  );
  t.is(completed[0].language, "en");
  t.is(completed[0].audio_duration, 90);
  const queued = (await owner.call("GET", "/v1/transcripts?status=queued")).body.data;
  t.deepEqual(queued[0].metadata, { n: 1 });
  t.is(queued[0].id, waiting);
  t.false("language" in queued[0]);
  t.is((await owner.call("GET", "/v1/transcripts?status=cancelled")).body.data.length, 0);
});

for (const [query, param] of [
  ["before=yesterday", "before"],
  ["before=", "before"],
  ["before=2026-02-30T00:00:00Z", "before"],
  ["before=2026-13-01T00:00:00Z", "before"],
  ["before=2026-01-01T25:00:00Z", "before"],
  ["before=2026-01-01T00:00:60Z", "before"],
  ["before=2026-01-01", "before"],
  ["before=2026-01-01T00:00:00", "before"],
  ["before=0000-01-01T00:00:00Z", "before"],
  ["before=1767225600", "before"],
  ["before=null", "before"],
  ["before=infinity", "before"],
  ["before=%00", "before"],
  ["before=2026-01-01T00:00:00Z%27%3B--", "before"],
  ["before=2026-01-01T00:00:00Z&before=2026-01-02T00:00:00Z", "before"],
  ["before[]=2026-01-01T00:00:00Z", "before[]"],
  ["limit=0", "limit"],
  ["limit=101", "limit"],
  ["limit=-1", "limit"],
  ["limit=1.5", "limit"],
  ["limit=ten", "limit"],
  ["limit=", "limit"],
  ["limit=0x10", "limit"],
  ["limit=1e1", "limit"],
  ["status=done", "status"],
  ["status=queued&status=failed", "status"],
  ["offset=10", "offset"],
  ["__proto__=1", "__proto__"],
] as const) {
  test(`400 invalid_parameter: ?${query}`, async (t) => {
    const { status, body } = await tenant.call("GET", `/v1/transcripts?${query}`);
    t.is(status, 400);
    t.is(body.error.code, "invalid_parameter");
    t.is(body.error.param, param);
  });
}

for (const query of ["", "limit=1", "limit=100", "before=2026-01-01T00:00:00Z", "before=9999-12-31T23:59:59.999999Z"]) {
  test(`200: ?${query}`, async (t) => {
    t.is((await tenant.call("GET", `/v1/transcripts?${query}`)).status, 200);
  });
}
