import { randomBytes } from "node:crypto";
import anyTest, { type TestFn } from "ava";
import { createEndpoint, deleteEndpoint, MAX_ENDPOINTS, rotateSecrets } from "../../webhooks/endpoints.ts";
import { listAttempts } from "../../webhooks/history.ts";
import { createSecretBox } from "../../webhooks/secrets.ts";
import { box, emit, KEY, newEndpoint, relayed } from "../support/events.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;
test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

test.serial("twenty at a time, also when thirty are asked for at once; a deleted one makes room", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db);
  const create = () => createEndpoint(db, box, { organizationId, url: "https://a.example/", events: ["credit.low"] });
  const outcomes = await Promise.all(Array.from({ length: 30 }, create));
  const created = outcomes.flatMap((answer) => (answer.outcome === "created" ? [answer.endpoint.id] : []));
  t.is(created.length, MAX_ENDPOINTS);
  t.is((await create()).outcome, "limit");
  t.true(await deleteEndpoint(db, organizationId, created[0] as string));
  t.is((await create()).outcome, "created");
});

test.serial("the database holds no secret in clear; rotation seals everything with the first key", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db);
  const { id, secret } = await newEndpoint(db, organizationId);
  const gone = await newEndpoint(db, organizationId);
  await deleteEndpoint(db, organizationId, gone.id);
  const stored = async () => Buffer.from((await db.webhook.findUniqueOrThrow({ where: { id } })).secret);
  t.false((await stored()).includes(secret));
  t.is(box.open(await stored(), id), secret);

  const fresh = randomBytes(32);
  const both = createSecretBox([fresh, KEY]);
  const others = await db.webhook.count({ where: { deletedAt: null } });
  t.deepEqual(await rotateSecrets(db, both), { rotated: others, unreadable: [] });
  t.deepEqual(await rotateSecrets(db, both), { rotated: 0, unreadable: [] });
  t.is(createSecretBox([fresh]).open(await stored(), id), secret);
  // What no key opens is named and left as it is.
  const { unreadable, rotated } = await rotateSecrets(db, createSecretBox([randomBytes(32)]));
  t.is(rotated, 0);
  t.true(unreadable.includes(id));
  t.is(createSecretBox([fresh]).open(await stored(), id), secret);
});

test.serial("pages of the history hold every attempt once, newest first, though several share a moment", async (t) => {
  const { db } = t.context;
  const { id: organizationId } = await newOrganization(db);
  const { id: webhookId } = await newEndpoint(db, organizationId);
  const events = await Promise.all(Array.from({ length: 25 }, () => emit(db, organizationId)));
  await Promise.all(events.map((eventId) => relayed(db, eventId)));
  const seen: string[] = [];
  let before: string | null = null;
  for (;;) {
    const page = await listAttempts(db, { webhookId, limit: 7, before });
    seen.push(...page.attempts.map(({ eventId }) => eventId));
    before = page.nextBefore;
    if (before === null) break;
    t.regex(before, /\.\d{6}Z$/);
  }
  t.deepEqual(seen.toSorted(), events.toSorted());
  const order = await db.delivery.findMany({ where: { webhookId }, orderBy: { createdAt: "desc" } });
  t.deepEqual(
    seen,
    order.map(({ eventId }) => eventId),
  );
});
