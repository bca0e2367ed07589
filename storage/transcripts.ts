/**
 * Transcript rows: reading them, and the steps of work that move no money. What moves money (create, raise, settle,
 * fail, delete) is in billing/. Every step is one statement, safe to repeat, and does nothing to a final row.
 */
import { type Database, Prisma } from "./database.ts";
import type { Retention } from "./organizations.ts";

export const STATUSES = ["queued", "processing", "completed", "failed", "cancelled"] as const;
export type Status = (typeof STATUSES)[number];

export interface Transcript {
  id: string;
  organizationId: string;
  apiKeyId: string | null;
  status: Status;
  priority: "standard" | "economy";
  /** Milliseconds only: the microseconds of the list cursor come from transcript-list.ts. */
  createdAt: Date;
  deadlineAt: Date;
  /** Exactly one of fileId and audioUrl is set. */
  fileId: string | null;
  audioUrl: string | null;
  /** As requested; null is automatic. */
  language: string | null;
  languageHints: string[];
  /** The request's `understanding` object. */
  understanding: unknown;
  /** Requested modules. */
  modules: string[];
  retention: Retention;
  expiresAt: Date | null;
  /** JSON text, to be returned as it is. */
  metadata: string;
  customVocabulary: string[];
  assumedMs: number;
  /** Decimal text with nine places. */
  estimatedEur: string;
  startedAt: Date | null;
  /** Set for completed and failed. */
  completedAt: Date | null;
  errorMessage: string | null;
  detectedLanguage: string | null;
  languageConfidence: number | null;
  durationMs: number | null;
  speechMs: number | null;
  /** Started minutes; `billed_duration` is 60 times this. */
  billedMinutes: number | null;
  costEur: string | null;
}

/** Null when absent or another organization's. */
export async function readTranscript(db: Database, organizationId: string, id: string): Promise<Transcript | null> {
  const row = await db.transcript.findFirst({ where: { id, organizationId } });
  return row && presentTranscript(row);
}

/** For workers, which know ids only. Null when it was deleted. */
export async function readTranscriptForWork(db: Database, id: string): Promise<Transcript | null> {
  const row = await db.transcript.findUnique({ where: { id } });
  return row && presentTranscript(row);
}

/**
 * queued → processing. Answers the row, or null when there is nothing to do: deleted, or final already.
 * A repeat keeps the first `startedAt`.
 */
export async function markProcessing(db: Database, id: string): Promise<Transcript | null> {
  const changed = await db.$executeRaw`
    UPDATE transcripts SET status = 'processing', started_at = coalesce(started_at, clock_timestamp())
    WHERE id = ${id} AND status IN ('queued', 'processing')`;
  return changed ? readTranscriptForWork(db, id) : null;
}

/** Work on one task queue: chunks, and milliseconds of audio. */
export interface Work {
  queue: string;
  chunks: number;
  ms: number;
}

/** Replaces what was assumed at POST by the plan; queues not named lose their row. Done work is kept. */
export function recordPlan(db: Database, id: string, work: readonly Work[]): Promise<void> {
  return plan(
    db,
    id,
    work,
    Prisma.sql`
      DELETE FROM transcript_work USING row
      WHERE transcript_id = row.id AND queue NOT IN (SELECT queue FROM planned)`,
  );
}

/** The work planned until now is done, and only this is left; safe to repeat. */
export function recordRest(db: Database, id: string, rest: readonly Work[]): Promise<void> {
  return plan(
    db,
    id,
    rest,
    Prisma.sql`
      UPDATE transcript_work SET done_chunks = planned_chunks, done_ms = planned_ms FROM row
      WHERE transcript_id = row.id AND queue NOT IN (SELECT queue FROM planned)`,
  );
}

/** Plans work, and does `toOthers` to the rows of queues that have none. */
async function plan(db: Database, id: string, work: readonly Work[], toOthers: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    WITH planned AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(work)}::jsonb) AS w (queue text, chunks integer, ms bigint)
    ), row AS (
      SELECT id FROM transcripts WHERE id = ${id} AND status IN ('queued', 'processing') FOR SHARE
    ), others AS (${toOthers})
    INSERT INTO transcript_work (transcript_id, queue, planned_chunks, planned_ms)
    SELECT row.id, queue, chunks, ms FROM planned, row
    ON CONFLICT (transcript_id, queue)
    DO UPDATE SET planned_chunks = excluded.planned_chunks, planned_ms = excluded.planned_ms`;
}

/**
 * Totals done so far on one queue, not increments: a repeated or late report changes nothing.
 */
export async function recordProgress(db: Database, id: string, done: Work): Promise<void> {
  await db.$executeRaw`
    UPDATE transcript_work SET done_chunks = greatest(done_chunks, ${done.chunks}),
      done_ms = greatest(done_ms, ${done.ms}::bigint)
    WHERE transcript_id = ${id} AND queue = ${done.queue}`;
}

export async function readWork(
  db: Database,
  id: string,
): Promise<{ queue: string; plannedChunks: number; plannedMs: number; doneChunks: number; doneMs: number }[]> {
  const rows = await db.transcriptWork.findMany({ where: { transcriptId: id }, orderBy: { queue: "asc" } });
  return rows.map((row) => ({
    queue: row.queue,
    plannedChunks: row.plannedChunks,
    plannedMs: Number(row.plannedMs),
    doneChunks: row.doneChunks,
    doneMs: Number(row.doneMs),
  }));
}

export interface InFlight {
  id: string;
  organizationId: string;
  status: "queued" | "processing";
  deadlineAt: Date;
  /** The input of its workflow, as its `transcript.start` outbox row carried it. */
  start: unknown;
}

/** Rows that are not final, oldest first, older than `olderThanMs`; `after` is the last id of the page before. */
export async function inFlightTranscripts(
  db: Database,
  page: { olderThanMs: number; limit: number; after?: string | null },
): Promise<InFlight[]> {
  return db.$queryRaw<InFlight[]>`
    SELECT t.id, t.organization_id AS "organizationId", t.status, t.deadline_at AS "deadlineAt",
           transcript_start(t) AS start
    FROM transcripts t
    WHERE t.status IN ('queued', 'processing')
      AND t.created_at < now() - make_interval(secs => ${page.olderThanMs / 1000}::double precision)
      AND (${page.after ?? null}::text IS NULL
           OR (t.created_at, t.id) > (SELECT a.created_at, a.id FROM transcripts a WHERE a.id = ${page.after ?? null}))
    ORDER BY t.created_at, t.id LIMIT ${page.limit}`;
}

export function presentTranscript(row: Prisma.TranscriptGetPayload<object>): Transcript {
  const { heldEur: _held, raisedAt: _raised, month: _month, ...rest } = row;
  return {
    ...rest,
    status: row.status as Status,
    priority: row.priority as Transcript["priority"],
    retention: row.retention as Retention,
    assumedMs: Number(row.assumedMs),
    estimatedEur: row.estimatedEur.toFixed(9),
    durationMs: row.durationMs === null ? null : Number(row.durationMs),
    speechMs: row.speechMs === null ? null : Number(row.speechMs),
    costEur: row.costEur?.toFixed(9) ?? null,
  };
}
