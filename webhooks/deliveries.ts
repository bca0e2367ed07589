/**
 * What is owed to endpoints. The rows are the truth: each attempt is one, at most one of an event and endpoint is
 * pending, and it says when it is due. A workflow only asks and waits (workflows/deliver.ts).
 */
import type { Database } from "../storage/database.ts";
import { newEventId } from "../storage/ids.ts";

/** Seconds before each retry, from the record of the failed attempt before it: 1 min, 5 min, 30 min, 2 h, 6 h (section 6). */
export const RETRY_DELAYS = [60, 300, 1_800, 7_200, 21_600] as const;

export interface DeliveryReference {
  webhookId: string;
  eventId: string;
}

/** What an attempt needs. */
export interface PendingAttempt {
  organizationId: string;
  attempt: number;
  url: string;
  /** Sealed. */
  secret: Uint8Array;
  /** The bytes that are signed and sent, the same on every attempt. */
  body: Buffer;
  /** The database's clock at this read, as text with microseconds. */
  readAt: string;
  /** Until it is due; 0 when it is. */
  waitMs: number;
}

/** Null when nothing is pending: delivered, given up, or ended with its endpoint. */
export async function readPending(
  db: Database,
  { webhookId, eventId }: DeliveryReference,
): Promise<PendingAttempt | null> {
  const rows = await db.$queryRaw<(Omit<PendingAttempt, "body" | "waitMs"> & { body: string; waitMs: bigint })[]>`
    SELECT w.organization_id AS "organizationId", d.attempt, w.url, w.secret, e.body, clock_timestamp()::text AS "readAt",
           attempt_wait_ms(d.webhook_id, d.event_id) AS "waitMs"
    FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id
    WHERE d.webhook_id = ${webhookId} AND d.event_id = ${eventId} AND d.status = 'pending'`;
  const [row] = rows;
  return row ? { ...row, body: Buffer.from(row.body), waitMs: Number(row.waitMs) } : null;
}

/** What became of an attempt. `error` is a code: `http_status`, `redirect`, or one of OutboundFailure. */
export interface Outcome {
  status: "delivered" | "failed" | "blocked";
  responseStatus: number | null;
  error: string | null;
}

export interface Recorded {
  /** False when it was recorded before, or ended with its endpoint meanwhile. */
  recorded: boolean;
  /** The endpoint was switched off by it. */
  disabled: boolean;
  /** Until the next attempt; null when there is none. */
  waitMs: number | null;
}

/** One statement: the attempt's end, the endpoint's failures, the next attempt or the endpoint's disabling. */
export async function recordAttempt(
  db: Database,
  { webhookId, eventId }: DeliveryReference,
  { attempt, readAt }: Pick<PendingAttempt, "attempt" | "readAt">,
  { status, responseStatus, error }: Outcome,
  delays: readonly number[] = RETRY_DELAYS,
): Promise<Recorded> {
  const [row] = await db.$queryRaw<{ answer: { outcome: string; disabled: boolean; wait_ms: number | null } }[]>`
    SELECT record_attempt(${webhookId}, ${eventId}, ${attempt}::integer, ${status}, ${responseStatus}::integer, ${error},
      ${readAt}::text::timestamptz, ${[...delays]}::integer[], ${newEventId()}) AS answer`;
  if (!row) throw new Error("record_attempt answered nothing");
  const { outcome, disabled, wait_ms: waitMs } = row.answer;
  return { recorded: outcome === "recorded", disabled, waitMs };
}

/** Turns an event's outbox row into what follows from it, and marks it done, in one transaction. */
export async function fanOut(
  db: Database,
  outboxId: bigint,
  to: { endpoints: boolean; roles: readonly string[] },
): Promise<void> {
  await db.$queryRaw`SELECT fan_out_event(${outboxId}::bigint, ${to.endpoints}::boolean, ${[...to.roles]}::text[])`;
}

/** Attempts that were due more than `overdueMs` ago, any `limit` of them: nobody seems to be watching them. */
export async function overdueDeliveries(
  db: Database,
  { overdueMs, limit }: { overdueMs: number; limit: number },
): Promise<(DeliveryReference & { organizationId: string })[]> {
  return db.$queryRaw`
    SELECT d.webhook_id AS "webhookId", d.event_id AS "eventId", w.organization_id AS "organizationId"
    FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.status = 'pending'
      AND d.next_attempt_at < clock_timestamp() - make_interval(secs => ${overdueMs / 1000}::double precision)
    ORDER BY random() LIMIT ${limit}`;
}
