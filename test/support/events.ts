import type { Database } from "../../storage/database.ts";
import { newEventId } from "../../storage/ids.ts";
import { fanOut } from "../../webhooks/deliveries.ts";
import { createEndpoint, type Endpoint } from "../../webhooks/endpoints.ts";
import { DELIVERED_EVENTS, type EventName, MAILED_EVENTS, MAILED_ROLES } from "../../webhooks/events.ts";
import { createSecretBox } from "../../webhooks/secrets.ts";

export const KEY = Buffer.alloc(32, 3);
export const box = createSecretBox([KEY]);

/** An event as the money and transcript functions emit it. Answers its id. */
export async function emit(
  db: Database,
  organizationId: string,
  event: EventName = "transcript.completed",
): Promise<string> {
  const id = newEventId();
  await db.$queryRaw`SELECT emit_event(${organizationId}::uuid, NULL, ${id}, ${event}, ${'"balance_eur":0'})::text`;
  return id;
}

/** What the relay does with an event's outbox row. */
export async function relayed(db: Database, eventId: string): Promise<void> {
  const row = await db.outbox.findFirstOrThrow({
    where: { eventId, kind: { notIn: ["webhook.deliver", "mail.send"] } },
  });
  const within = (names: readonly string[]) => names.includes(row.kind);
  const roles = within(MAILED_EVENTS) ? MAILED_ROLES : [];
  await fanOut(db, row.id, { endpoints: within(DELIVERED_EVENTS), roles });
}

export async function newEndpoint(
  db: Database,
  organizationId: string,
  changes: { url?: string; events?: EventName[] } = {},
): Promise<Endpoint & { secret: string }> {
  const wanted = { organizationId, url: "https://receiver.test/", events: ["transcript.completed"] as EventName[] };
  const created = await createEndpoint(db, box, { ...wanted, ...changes });
  if (created.outcome !== "created") throw new Error(created.outcome);
  return { ...created.endpoint, secret: created.secret };
}
