import type { Database } from "../storage/database.ts";
import { MAILED_ROLES } from "./events.ts";

/** What a mail about an event says, and to whom. */
export interface MailedNotice {
  event: string;
  /** The event's body, parsed. */
  payload: Record<string, unknown>;
  at: Date;
  organization: string;
  email: string;
  /** Of the endpoint, for `webhook.disabled`; null when it is not there any more. */
  url: string | null;
}

/** Null when the member has gone or has no role that gets mail any more. */
export async function readNotice(
  db: Database,
  { eventId, memberId }: { eventId: string; memberId: string },
): Promise<MailedNotice | null> {
  const [row] = await db.$queryRaw<(Omit<MailedNotice, "payload"> & { body: string })[]>`
    SELECT e.event, e.body, e.created_at AS at, o.slug AS organization, m.email, w.url
    FROM events e JOIN organizations o ON o.id = e.organization_id
    JOIN members m ON m.organization_id = e.organization_id AND m.id = ${memberId}::uuid
    LEFT JOIN webhooks w ON e.event = 'webhook.disabled' AND w.id = e.body::jsonb ->> 'webhook_id'
    WHERE e.id = ${eventId} AND m.role = ANY (${[...MAILED_ROLES]})`;
  if (!row) return null;
  const { body, ...notice } = row;
  return { ...notice, payload: JSON.parse(body) };
}
