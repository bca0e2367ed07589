/**
 * The list of transcripts, newest first. Its cursor is `created_at` with microseconds, unique within the organization:
 * it is made and compared by PostgreSQL as text, since JavaScript's dates drop the microseconds.
 */
import type { Database } from "./database.ts";
import type { Status } from "./transcripts.ts";

/** The short form of a row, and what the list adds. */
export interface ListedTranscript {
  id: string;
  status: Status;
  createdAt: Date;
  completedAt: Date | null;
  /** JSON text. */
  metadata: string;
  errorMessage: string | null;
  detectedLanguage: string | null;
  durationMs: number | null;
}

export interface TranscriptPage {
  transcripts: ListedTranscript[];
  /** Cursor of the next page, or null when this is the last. */
  nextBefore: string | null;
}

/** `before` must have passed `parseBefore`. */
export async function listTranscripts(
  db: Database,
  query: { organizationId: string; limit: number; status?: Status | null; before?: string | null },
): Promise<TranscriptPage> {
  const rows = await db.$queryRaw<
    (Omit<ListedTranscript, "durationMs"> & { durationMs: bigint | null; cursor: string })[]
  >`
    SELECT id, status, created_at AS "createdAt", completed_at AS "completedAt", metadata,
           error_message AS "errorMessage", detected_language AS "detectedLanguage", duration_ms AS "durationMs",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS cursor
    FROM transcripts
    WHERE organization_id = ${query.organizationId}::uuid
      AND (${query.status ?? null}::text IS NULL OR status = ${query.status ?? null})
      AND created_at < coalesce(${query.before ?? null}::text::timestamptz, 'infinity')
    ORDER BY created_at DESC
    LIMIT ${query.limit + 1}`;
  const page = rows.slice(0, query.limit);
  return {
    transcripts: page.map(({ cursor: _cursor, ...row }) => ({
      ...row,
      durationMs: row.durationMs === null ? null : Number(row.durationMs),
    })),
    nextBefore: rows.length > query.limit ? (page.at(-1)?.cursor ?? null) : null,
  };
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

/** The last moment that four digits of year can write. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * An ISO 8601 date-time with an offset, as UTC text that PostgreSQL reads without surprise; null when it is not one.
 * The date must exist, and digits after the sixth are dropped. Offsets go to 23:59, further than PostgreSQL's.
 */
export function parseBefore(text: string): string | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = "00", fraction = "", sign, offsetHour = "0", offsetMinute = "0"] =
    match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(year) > 0;
  if (!exists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000 * (sign === "-" ? -1 : 1);
  // Whole seconds only: a JavaScript date would drop the microseconds.
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  date.setTime(Math.min(date.getTime() - offsetMs, LAST_MS));
  const micros = fraction.slice(0, 6).padEnd(6, "0");
  return date.getUTCFullYear() < 1 ? "0001-01-01T00:00:00.000000Z" : `${date.toISOString().slice(0, 19)}.${micros}Z`;
}
