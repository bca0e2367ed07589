import type pg from "pg";
import { type Finding, ok, warning } from "./check.ts";

/** The sweeper comes every minute. */
const LATE_SECONDS = 300;

/**
 * Whether what has a lease is looked after: rows that somebody should have relayed, renewed, failed or released by now.
 * They say that no `transcripts` worker runs, or that it cannot do its work.
 */
export async function upkeep(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ outbox: number; calls: number; transcripts: number; deliveries: number }>(
    `WITH late AS (SELECT clock_timestamp() - make_interval(secs => $1) AS at)
     SELECT
       (SELECT count(*)::integer FROM outbox, late WHERE done_at IS NULL AND available_at < at) AS outbox,
       (SELECT count(*)::integer FROM usage_calls, late WHERE status = 'running' AND leased_until < at) AS calls,
       (SELECT count(*)::integer FROM transcripts, late
         WHERE status IN ('queued', 'processing') AND deadline_at < at) AS transcripts,
       (SELECT count(*)::integer FROM deliveries, late
         WHERE status = 'pending' AND next_attempt_at < at - interval '10 minutes') AS deliveries`,
    [LATE_SECONDS],
  );
  const { outbox = 0, calls = 0, transcripts = 0, deliveries = 0 } = rows[0] ?? {};
  const numbers = { outbox, calls, transcripts, deliveries };
  const late = [
    outbox ? `${outbox} outbox rows wait` : "",
    calls ? `${calls} holds of dead calls are not released` : "",
    transcripts ? `${transcripts} transcripts are past their deadline` : "",
    deliveries ? `${deliveries} deliveries are overdue` : "",
  ].filter(Boolean);
  if (late.length === 0) return ok("no lease, outbox row or deadline has been left alone", numbers);
  return warning(
    late.join(", "),
    ["start a worker of the queue transcripts (and webhooks), or read what its log says"],
    numbers,
  );
}
