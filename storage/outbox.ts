/**
 * Work that follows a commit. A relay claims rows, does what they say and marks them done; a row whose relay died comes
 * back when its lease ends, so every effect must be safe to repeat. Rows are claimed by state with SKIP LOCKED: sequence
 * numbers commit out of order, and a high-water mark would lose rows. No session state, so transaction pooling is fine.
 */
import type { Database } from "./database.ts";

/**
 * `transcript.start`: payload is TranscribeInput. `transcript.delete`: payload is DeletedTranscriptPayload.
 * `file.delete`: payload is DeletedFilePayload. `webhook.deliver`, `mail.send`: DeliverInput, MailInput
 * (workflows/names.ts). The others are names of events (webhooks/events.ts).
 */
export type OutboxKind =
  | "transcript.start"
  | "transcript.delete"
  | "file.delete"
  | "webhook.deliver"
  | "mail.send"
  | "transcript.completed"
  | "transcript.failed"
  | "credit.low"
  | "credit.exhausted"
  | "webhook.disabled"
  | "api_key.created";

/** Cancel the workflow if one runs, remove `keys.transcript(id)`, and `uploadKey` if there is one. */
export interface DeletedTranscriptPayload {
  transcriptId: string;
  organizationId: string;
  wasInFlight: boolean;
  uploadKey: string | null;
}

/** Remove `uploadKey`, which the caller of the delete has tried to do as well. */
export interface DeletedFilePayload {
  uploadKey: string;
}

export interface OutboxRow {
  id: bigint;
  kind: OutboxKind;
  organizationId: string;
  transcriptId: string | null;
  /** For events: the row of `events` whose `body` is delivered. */
  eventId: string | null;
  payload: unknown;
  /** This claim included. */
  attempts: number;
}

/** Up to `limit` rows of these kinds, oldest first, hidden from other claims for `leaseMs`. */
export async function claimOutbox(
  db: Database,
  claim: { kinds: readonly OutboxKind[]; limit: number; leaseMs: number },
): Promise<OutboxRow[]> {
  const rows = await db.$queryRaw<OutboxRow[]>`
    UPDATE outbox SET attempts = attempts + 1,
      available_at = clock_timestamp() + make_interval(secs => ${claim.leaseMs / 1000}::double precision)
    WHERE id IN (
      SELECT id FROM outbox
      WHERE done_at IS NULL AND kind = ANY (${[...claim.kinds]}) AND available_at <= clock_timestamp()
      ORDER BY available_at, id LIMIT ${claim.limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING id, kind, organization_id AS "organizationId", transcript_id AS "transcriptId",
      event_id AS "eventId", payload, attempts`;
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function finishOutbox(db: Database, ids: readonly bigint[]): Promise<void> {
  await db.$executeRaw`
    UPDATE outbox SET done_at = clock_timestamp(), last_error = NULL WHERE id = ANY (${[...ids]}::bigint[])`;
}

/** Gives the row back, to be claimed again after `delayMs`. */
export async function retryOutbox(db: Database, id: bigint, again: { delayMs: number; error: string }): Promise<void> {
  await db.$executeRaw`
    UPDATE outbox SET last_error = ${again.error.slice(0, 2_000)},
      available_at = clock_timestamp() + make_interval(secs => ${again.delayMs / 1000}::double precision)
    WHERE id = ${id} AND done_at IS NULL`;
}

/** Rows waiting now and the age of the oldest in seconds, for metrics. */
export async function outboxBacklog(db: Database): Promise<{ kind: string; waiting: number; oldestSeconds: number }[]> {
  return db.$queryRaw`
    SELECT kind, count(*)::integer AS waiting,
           extract(epoch FROM clock_timestamp() - min(created_at))::double precision AS "oldestSeconds"
    FROM outbox WHERE done_at IS NULL GROUP BY kind`;
}

/** Removes rows done longer than `olderThanMs` ago. */
export async function pruneOutbox(db: Database, olderThanMs: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM outbox WHERE done_at < now() - make_interval(secs => ${olderThanMs / 1000}::double precision)`;
}
