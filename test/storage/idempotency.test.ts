import anyTest, { type TestFn } from "ava";
import { createTranscript, presentCreated } from "../../billing/create-transcript.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import {
  beginIdempotent,
  finishIdempotent,
  freeIdempotent,
  type IdempotencyLease,
  type IdempotencyScope,
  pruneIdempotent,
  renewIdempotent,
} from "../../storage/idempotency.ts";
import { newOrganization, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

async function scopeOf({ db }: TestPostgres, key = "key"): Promise<IdempotencyScope> {
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  return { organizationId, route: "POST /v1/embeddings", key };
}

async function started(context: TestPostgres, scope: IdempotencyScope, body = "{}"): Promise<IdempotencyLease> {
  const begun = await beginIdempotent(context.db, scope, body);
  if (begun.outcome !== "started") throw new Error(begun.outcome);
  return begun.lease;
}

/** As if the runner had died a minute ago. */
async function expireLease({ db }: TestPostgres, scope: IdempotencyScope): Promise<void> {
  const { organizationId } = scope;
  await db.idempotencyKey.updateMany({ where: { organizationId }, data: { leasedUntil: new Date(Date.now() - 1) } });
}

test("of many at once one runs; the others wait, then replay its answer", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  const begun = await Promise.all(Array.from({ length: 12 }, () => beginIdempotent(db, scope, "{}")));
  t.deepEqual(begun.map(({ outcome }) => outcome).sort(), [...Array(11).fill("running"), "started"]);
  const first = begun.find((one) => one.outcome === "started");
  if (first?.outcome !== "started") return t.fail();
  t.true(await finishIdempotent(db, first.lease, { status: 200, body: '{"n":1}' }));
  t.deepEqual(await beginIdempotent(db, scope, "{}"), {
    outcome: "replay",
    status: 200,
    body: '{"n":1}',
    resource: null,
  });
});

test("another body is refused while it runs and after; another route or organization is another key", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  const lease = await started(t.context, scope);
  t.deepEqual(await beginIdempotent(db, scope, "[]"), { outcome: "reused" });
  await finishIdempotent(db, lease, { status: 200, body: "{}" });
  t.deepEqual(await beginIdempotent(db, scope, "[]"), { outcome: "reused" });
  t.is((await beginIdempotent(db, { ...scope, route: "POST /v1/chat/completions" }, "[]")).outcome, "started");
  t.is((await beginIdempotent(db, await scopeOf(t.context), "[]")).outcome, "started");
});

test("a freed key runs again, with any body", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  await freeIdempotent(db, await started(t.context, scope));
  t.is((await beginIdempotent(db, scope, "[]")).outcome, "started");
});

test("a dead runner's key is taken over, and the dead can neither renew, finish nor free it", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  const dead = await started(t.context, scope);
  t.true(await renewIdempotent(db, dead));
  t.is((await beginIdempotent(db, scope, "{}")).outcome, "running");
  await expireLease(t.context, scope);
  const lease = await started(t.context, scope);
  t.not(lease.token, dead.token);
  t.false(await renewIdempotent(db, dead));
  t.false(await finishIdempotent(db, dead, { status: 200, body: "dead" }));
  await freeIdempotent(db, dead);
  t.true(await finishIdempotent(db, lease, { status: 200, body: "alive" }));
  t.like(await beginIdempotent(db, scope, "{}"), { outcome: "replay", body: "alive" });
});

test("after its window of 24 hours a key is new", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  await finishIdempotent(db, await started(t.context, scope), { status: 200, body: "old" });
  const { organizationId } = scope;
  const { createdAt, expiresAt } = await db.idempotencyKey.findFirstOrThrow({ where: { organizationId } });
  t.is(expiresAt.getTime() - createdAt.getTime(), 24 * 3_600_000);
  await db.idempotencyKey.updateMany({ where: { organizationId }, data: { expiresAt: new Date(Date.now() - 1) } });
  t.is((await beginIdempotent(db, scope, "other")).outcome, "started");
  await db.idempotencyKey.updateMany({ where: { organizationId }, data: { expiresAt: new Date(Date.now() - 1) } });
  t.is(await pruneIdempotent(db), 1);
});

test("a creation finishes its key itself: a crash before the answer bills nothing twice", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  const idempotency = await started(t.context, scope);
  const request = transcriptRequest(scope.organizationId, { audioUrl: "https://example.com/a" }, { idempotency });
  const created = await createTranscript(db, request);
  if (created.outcome !== "ok") return t.fail();
  // The API process dies here, and its lease ends.
  await expireLease(t.context, scope);
  await deleteTranscript(db, scope.organizationId, created.id);
  const replay = await beginIdempotent(db, scope, "{}");
  if (replay.outcome !== "replay" || !replay.resource) return t.fail();
  t.is(replay.status, 202);
  t.is(replay.body, null);
  t.deepEqual({ outcome: "ok", ...presentCreated(replay.resource) }, created);
});

test("a creation whose lease was lost does nothing; a refused one leaves the key running", async (t) => {
  const { db } = t.context;
  const scope = await scopeOf(t.context);
  const dead = await started(t.context, scope);
  await expireLease(t.context, scope);
  const alive = await started(t.context, scope);
  const request = transcriptRequest(scope.organizationId, { audioUrl: "https://example.com/a" }, { idempotency: dead });
  t.deepEqual(await createTranscript(db, request), { outcome: "idempotency_lost" });
  t.is(await db.transcript.count({ where: { organizationId: scope.organizationId } }), 0);
  const refused = { ...request, source: { fileId: "file_none", durationMs: 1 }, idempotency: alive };
  t.is((await createTranscript(db, refused)).outcome, "file_not_found");
  t.true(await renewIdempotent(db, alive));
});
