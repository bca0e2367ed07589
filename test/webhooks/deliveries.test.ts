import anyTest, { type TestFn } from "ava";
import { putMember } from "../../storage/organizations.ts";
import { type Outcome, RETRY_DELAYS, readPending, recordAttempt } from "../../webhooks/deliveries.ts";
import { deleteEndpoint, enableEndpoint, readEndpoint } from "../../webhooks/endpoints.ts";
import { EVENT_NAMES } from "../../webhooks/events.ts";
import { emit, newEndpoint, relayed } from "../support/events.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;
test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

const DELIVERED: Outcome = { status: "delivered", responseStatus: 200, error: null };
const FAILED: Outcome = { status: "failed", responseStatus: 500, error: "http_status" };
const BLOCKED: Outcome = { status: "blocked", responseStatus: null, error: "blocked_address" };

/** Records the pending attempt's outcome, due or not. */
async function attempt({ db }: TestPostgres, webhookId: string, eventId: string, outcome: Outcome) {
  const pending = await readPending(db, { webhookId, eventId });
  if (!pending) throw new Error("nothing is pending");
  return recordAttempt(db, { webhookId, eventId }, pending, outcome);
}

const rows = ({ db }: TestPostgres, webhookId: string, eventId?: string) =>
  db.delivery.findMany({ where: { webhookId, ...(eventId && { eventId }) }, orderBy: { createdAt: "asc" } });

test("an event becomes one delivery for each endpoint that is enabled and subscribes to it now", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  const { id: stranger } = await newOrganization(db);
  const wanting = await newEndpoint(db, id);
  const other = await newEndpoint(db, id, { events: ["credit.low"] });
  const deleted = await newEndpoint(db, id);
  const disabled = await newEndpoint(db, id);
  const foreign = await newEndpoint(db, stranger);
  await deleteEndpoint(db, id, deleted.id);
  await db.webhook.update({ where: { id: disabled.id }, data: { status: "disabled", disabledAt: new Date() } });
  const eventId = await emit(db, id);
  await relayed(db, eventId);
  t.is((await rows(t.context, wanting.id)).length, 1);
  for (const none of [other, deleted, disabled, foreign]) t.deepEqual(await rows(t.context, none.id), []);
  const [row] = await rows(t.context, wanting.id);
  t.like(row, { eventId, attempt: 1, status: "pending", attemptedAt: null });
  t.regex(String(row?.id), /^del_[0-9a-f]{32}$/);

  await newEndpoint(db, id); // too late
  await t.throwsAsync(relayed(db, "evt_none"));
  const outbox = await db.outbox.findMany({ where: { eventId, kind: "webhook.deliver" } });
  t.deepEqual(
    outbox.map(({ payload }) => payload),
    [{ webhookId: wanting.id, eventId, organizationId: id }],
  );
});

test("turning an event into deliveries happens once, however often and by however many relays", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  const endpoints = [await newEndpoint(db, id), await newEndpoint(db, id)];
  const eventId = await emit(db, id);
  await Promise.all([1, 2, 3, 4].map(() => relayed(db, eventId)));
  await newEndpoint(db, id);
  await relayed(db, eventId);
  t.is(await db.delivery.count({ where: { eventId } }), 2);
  t.is(await db.outbox.count({ where: { eventId, kind: "webhook.deliver" } }), endpoints.length);
  t.is(await db.outbox.count({ where: { eventId, kind: "transcript.completed", doneAt: null } }), 0);
});

test("webhook.disabled and api_key.created are never delivered; three events are mailed to owner and billing", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  await newEndpoint(db, id, { events: [...EVENT_NAMES] });
  for (const role of ["owner", "billing", "developer", "viewer"] as const) {
    await putMember(db, { organizationId: id, email: `${role}@example.com`, role });
  }
  const followed: Record<string, [deliveries: number, mails: number]> = {};
  for (const name of EVENT_NAMES) {
    const eventId = await emit(db, id, name);
    await relayed(db, eventId);
    const where = { eventId, kind: "mail.send" };
    followed[name] = [await db.delivery.count({ where: { eventId } }), await db.outbox.count({ where })];
  }
  t.deepEqual(followed, {
    "transcript.completed": [1, 0],
    "transcript.failed": [1, 0],
    "credit.low": [1, 2],
    "credit.exhausted": [1, 2],
    "webhook.disabled": [0, 2],
    "api_key.created": [0, 0],
  });
});

test("retries are due after 1 min, 5 min, 30 min, 2 h and 6 h; each attempt is one row", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  const { id: webhookId } = await newEndpoint(db, id);
  const eventId = await emit(db, id);
  await relayed(db, eventId);
  t.is((await readPending(db, { webhookId, eventId }))?.waitMs, 0);
  for (const [at, seconds] of RETRY_DELAYS.entries()) {
    const { waitMs, disabled } = await attempt(t.context, webhookId, eventId, at === 2 ? BLOCKED : FAILED);
    t.false(disabled);
    t.true(waitMs !== null && waitMs <= seconds * 1000 && waitMs > seconds * 1000 - 30_000, `${waitMs}`);
    t.is((await readEndpoint(db, id, webhookId))?.consecutiveFailures, at);
  }
  t.deepEqual(await attempt(t.context, webhookId, eventId, FAILED), { recorded: true, disabled: true, waitMs: null });
  const made = await rows(t.context, webhookId, eventId);
  t.deepEqual(
    made.map((row) => [row.attempt, row.status, row.responseStatus, row.error, row.nextAttemptAt]),
    [1, 2, 3, 4, 5, 6].map((number) =>
      number === 3 ? [number, "blocked", null, "blocked_address", null] : [number, "failed", 500, "http_status", null],
    ),
  );
  t.true(made.every((row) => row.attemptedAt !== null));
});

test("the fifth failed retry disables the endpoint: its pending deliveries fail, and one event says so", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  const { id: webhookId } = await newEndpoint(db, id);
  const [lost, waiting] = [await emit(db, id), await emit(db, id)];
  await relayed(db, lost);
  for (let count = 0; count < 5; count++) await attempt(t.context, webhookId, lost, FAILED);
  await relayed(db, waiting);
  await attempt(t.context, webhookId, waiting, FAILED);
  t.true((await attempt(t.context, webhookId, lost, FAILED)).disabled);
  t.like(await readEndpoint(db, id, webhookId), { status: "disabled", consecutiveFailures: 5 });
  t.like((await rows(t.context, webhookId, waiting)).at(-1), {
    attempt: 2,
    status: "failed",
    error: "endpoint_disabled",
    attemptedAt: null,
    nextAttemptAt: null,
  });
  const events = await db.event.findMany({ where: { organizationId: id, event: "webhook.disabled" } });
  t.is(events.length, 1);
  t.like(JSON.parse(events[0]?.body ?? ""), { webhook_id: webhookId, consecutive_failures: 5 });
  const later = await emit(db, id);
  await relayed(db, later);
  t.is(await db.delivery.count({ where: { eventId: later } }), 0);

  const enabled = await enableEndpoint(db, id, webhookId);
  t.like(enabled, { status: "enabled", consecutiveFailures: 0, disabledAt: null });
  const next = await emit(db, id);
  await relayed(db, next);
  t.true((await attempt(t.context, webhookId, next, DELIVERED)).recorded);
  t.is(await readPending(db, { webhookId, eventId: later }), null);
});

test("anything delivered since the event's first attempt keeps the endpoint; what came before does not", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  const { id: webhookId } = await newEndpoint(db, id);
  const before = await emit(db, id);
  await relayed(db, before);
  await attempt(t.context, webhookId, before, DELIVERED);

  const kept = await emit(db, id);
  await relayed(db, kept);
  for (let count = 0; count < 3; count++) await attempt(t.context, webhookId, kept, FAILED);
  const between = await emit(db, id);
  await relayed(db, between);
  await attempt(t.context, webhookId, between, DELIVERED);
  t.is((await readEndpoint(db, id, webhookId))?.consecutiveFailures, 0);
  for (let count = 3; count < 5; count++) await attempt(t.context, webhookId, kept, FAILED);
  t.deepEqual(await attempt(t.context, webhookId, kept, FAILED), { recorded: true, disabled: false, waitMs: null });
  t.like(await readEndpoint(db, id, webhookId), { status: "enabled", consecutiveFailures: 5 });

  const lost = await emit(db, id);
  await relayed(db, lost);
  for (let count = 0; count < 5; count++) await attempt(t.context, webhookId, lost, FAILED);
  t.true((await attempt(t.context, webhookId, lost, FAILED)).disabled);
});

test("an attempt is recorded once; one that ends after its endpoint's deletion changes nothing", async (t) => {
  const { db } = t.context;
  const { id } = await newOrganization(db);
  const { id: webhookId } = await newEndpoint(db, id);
  const eventId = await emit(db, id);
  await relayed(db, eventId);
  const pending = await readPending(db, { webhookId, eventId });
  if (!pending) return t.fail();
  const twice = await Promise.all([1, 2].map(() => recordAttempt(db, { webhookId, eventId }, pending, FAILED)));
  t.deepEqual(twice.map(({ recorded }) => recorded).sort(), [false, true]);
  t.is((await rows(t.context, webhookId, eventId)).length, 2);
  t.true(twice.every(({ waitMs }) => waitMs !== null && waitMs > 30_000));

  const second = await readPending(db, { webhookId, eventId });
  if (!second) return t.fail();
  t.true(await deleteEndpoint(db, id, webhookId));
  t.deepEqual(await recordAttempt(db, { webhookId, eventId }, second, DELIVERED), {
    recorded: false,
    disabled: false,
    waitMs: null,
  });
  t.like((await rows(t.context, webhookId, eventId)).at(-1), { status: "failed", error: "endpoint_deleted" });
  const kept = await db.webhook.findUniqueOrThrow({ where: { id: webhookId } });
  t.is(kept.secret.length, 0);
});
