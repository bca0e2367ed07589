import test from "ava";
import { deliveredEvents, webhookDisabledEvent } from "../../api/schemas/events.ts";
import { createTranscript } from "../../billing/create-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import type { Database } from "../../storage/database.ts";
import { readPending, recordAttempt } from "../../webhooks/deliveries.ts";
import { DELIVERED_EVENTS } from "../../webhooks/events.ts";
import { newEndpoint, relayed } from "../support/events.ts";
import { newFile, newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let postgres: TestPostgres;
test.before(async () => {
  postgres = await startTestPostgres();
});
test.after.always(() => postgres?.stop());

const bodies = async (db: Database, organizationId: string) => {
  const rows = await db.event.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } });
  return new Map(rows.map(({ id, event, body }) => [event, { id, body: JSON.parse(body) }]));
};

test("what money and transcripts emit is what the schemas say: flat, with its own id, name and time", async (t) => {
  const { db } = postgres;
  const { id: organizationId } = await newOrganization(db, { creditEur: "0.013", creditLowThresholdEur: "0.005" });
  const ids: string[] = [];
  for (const durationMs of [58_800, 58_801]) {
    const { id: fileId } = await newFile(db, organizationId, durationMs);
    const created = await createTranscript(db, transcriptRequest(organizationId, { fileId, durationMs }));
    if (created.outcome !== "ok") return t.fail(created.outcome);
    ids.push(created.id);
  }
  const [completed, failed] = ids as [string, string];
  await failTranscript(db, failed, 'El formato "raro" no está admitido.');
  await db.$executeRaw`UPDATE organizations SET credit_low_threshold_eur = 0.01 WHERE id = ${organizationId}::uuid`;
  await settleTranscript(db, settlement(completed, 58_800));
  const { id: fileId } = await newFile(db, organizationId, 1_000);
  const last = await createTranscript(db, transcriptRequest(organizationId, { fileId, durationMs: 1_000 }));
  if (last.outcome !== "ok") return t.fail(last.outcome);
  await settleTranscript(db, settlement(last.id, 1_000));

  const found = await bodies(db, organizationId);
  t.deepEqual([...found.keys()].sort(), [...DELIVERED_EVENTS].sort());
  for (const name of DELIVERED_EVENTS) {
    const { id, body } = found.get(name) ?? t.fail(name);
    t.like(deliveredEvents[name].parse(body), { id, event: name });
    t.regex(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  t.like(found.get("transcript.failed")?.body, {
    transcript_id: failed,
    status: "failed",
    error: { message: 'El formato "raro" no está admitido.' },
  });
  t.like(found.get("credit.low")?.body, { balance_eur: 0.0065, threshold_eur: 0.01 });
  t.like(found.get("credit.exhausted")?.body, { balance_eur: 0 });
});

test("webhook.disabled is kept with the endpoint's id", async (t) => {
  const { db } = postgres;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const { id: webhookId } = await newEndpoint(db, organizationId, { events: ["transcript.failed"] });
  const { id: fileId } = await newFile(db, organizationId, 1_000);
  const created = await createTranscript(db, transcriptRequest(organizationId, { fileId, durationMs: 1_000 }));
  if (created.outcome !== "ok") return t.fail(created.outcome);
  await failTranscript(db, created.id, "no");
  const eventId = (await bodies(db, organizationId)).get("transcript.failed")?.id ?? "";
  await relayed(db, eventId);
  for (let count = 0; count < 6; count++) {
    const pending = await readPending(db, { webhookId, eventId });
    if (!pending) return t.fail();
    const error = "timeout";
    await recordAttempt(db, { webhookId, eventId }, pending, { status: "failed", responseStatus: null, error });
  }
  const disabled = (await bodies(db, organizationId)).get("webhook.disabled")?.body;
  t.like(webhookDisabledEvent.parse(disabled), { webhook_id: webhookId, consecutive_failures: 5 });
});
