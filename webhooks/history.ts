import type { Database } from "../storage/database.ts";

/** One attempt, made or pending. */
export interface Attempt {
  id: string;
  eventId: string;
  event: string;
  attempt: number;
  status: "pending" | "delivered" | "failed" | "blocked";
  responseStatus: number | null;
  /** A code, null unless it failed or was blocked. */
  error: string | null;
  attemptedAt: Date | null;
  /** Of a pending attempt. */
  nextAttemptAt: Date | null;
}

/** Newest first; the cursor is the row's time with microseconds, as in storage/transcript-list.ts. */
export async function listAttempts(
  db: Database,
  query: { webhookId: string; limit: number; before?: string | null },
): Promise<{ attempts: Attempt[]; nextBefore: string | null }> {
  const rows = await db.$queryRaw<(Attempt & { cursor: string })[]>`
    SELECT d.id, d.event_id AS "eventId", e.event, d.attempt, d.status, d.response_status AS "responseStatus", d.error,
           d.attempted_at AS "attemptedAt", d.next_attempt_at AS "nextAttemptAt",
           to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS cursor
    FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.webhook_id = ${query.webhookId}
      AND d.created_at < coalesce(${query.before ?? null}::text::timestamptz, 'infinity')
    ORDER BY d.created_at DESC
    LIMIT ${query.limit + 1}`;
  const page = rows.slice(0, query.limit);
  return {
    attempts: page.map(({ cursor: _cursor, ...attempt }) => attempt),
    nextBefore: rows.length > query.limit ? (page.at(-1)?.cursor ?? null) : null,
  };
}
