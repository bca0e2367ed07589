import type { Database } from "./database.ts";

/** What is planned and not done for one organization on one task queue. */
export interface Demand {
  organizationId: string;
  /** Chunks of this organization that may be recognised at a time. */
  speechSlots: number;
  queue: string;
  outstandingChunks: number;
  outstandingMs: number;
  /** When the oldest work of which nothing is done was planned; null when all of it has begun. */
  waitingSince: Date | null;
}

/**
 * Planned less done over the transcripts that are not final: rows, not counters, so that nothing leaks when a process
 * is killed. Reads the index of in-flight rows and their work by key, whatever else the tables hold.
 */
export async function readDemand(db: Database): Promise<Demand[]> {
  const rows = await db.$queryRaw<(Omit<Demand, "outstandingMs"> & { outstandingMs: bigint })[]>`
    SELECT t.organization_id AS "organizationId", o.speech_slots AS "speechSlots", w.queue,
           sum(w.planned_chunks - w.done_chunks)::integer AS "outstandingChunks",
           sum(greatest(w.planned_ms - w.done_ms, 0))::bigint AS "outstandingMs",
           min(w.planned_at) FILTER (WHERE w.done_chunks = 0 AND w.planned_ms > 0) AS "waitingSince"
    FROM transcripts t
    JOIN transcript_work w ON w.transcript_id = t.id AND w.done_chunks < w.planned_chunks
    JOIN organizations o ON o.id = t.organization_id
    WHERE t.status IN ('queued', 'processing')
    GROUP BY t.organization_id, o.speech_slots, w.queue
    ORDER BY t.organization_id, w.queue`;
  return rows.map((row) => ({ ...row, outstandingMs: Number(row.outstandingMs) }));
}
