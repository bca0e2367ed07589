import type { Database } from "../../storage/database.ts";

/** Refuses, in every transaction and not only at the end, more transcripts in flight than the organization may have. */
export async function watchInFlight(db: Database): Promise<void> {
  await db.$executeRaw`
    CREATE FUNCTION refuse_over_limit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM transcripts WHERE organization_id = NEW.organization_id AND status IN ('queued', 'processing'))
         > (SELECT in_flight_limit FROM organizations WHERE id = NEW.organization_id) THEN
        RAISE EXCEPTION 'more in flight than the limit';
      END IF;
      RETURN NULL;
    END $$`;
  await db.$executeRaw`
    CREATE TRIGGER refuse_over_limit AFTER INSERT OR UPDATE ON transcripts FOR EACH ROW EXECUTE FUNCTION refuse_over_limit()`;
}

/**
 * What must hold whatever happened, of these organizations. Figures come from the entries, not from the kept totals.
 * Throws with the name of what does not.
 */
export async function assertLedgerHolds(db: Database, organizations: string[]): Promise<void> {
  const [figures] = await db.$queryRaw<Record<string, number>[]>`
    WITH o AS (SELECT unnest(${organizations}::uuid[]) AS id),
      t AS (SELECT t.*, split_part(reference, ':', 2) AS subject FROM ledger_transactions t JOIN o ON o.id = t.organization_id),
      e AS (
        SELECT e.*, t.kind, t.subject, t.month FROM ledger_entries e JOIN t ON t.id = e.transaction_id),
      a AS (SELECT a.* FROM ledger_accounts a JOIN o ON o.id = a.organization_id),
      sums AS (SELECT organization_id, account, sum(amount) AS total FROM e GROUP BY 1, 2),
      -- Of each transcript or call: what is held, and what was charged for it.
      work AS (
        SELECT subject, sum(amount) FILTER (WHERE account = 'held') AS held,
          sum(amount) FILTER (WHERE account = 'revenue') AS charged
        FROM e WHERE kind IN ('hold', 'raise', 'charge', 'release') GROUP BY 1),
      r AS (SELECT r.* FROM transcripts r JOIN o ON o.id = r.organization_id),
      c AS (SELECT c.* FROM usage_calls c JOIN o ON o.id = c.organization_id),
      refunds AS (
        SELECT t.refers_to, sum(e.amount) AS amount FROM t JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'revenue'
        WHERE t.kind = 'refund' GROUP BY 1)
    SELECT
      (SELECT count(*) FROM (SELECT FROM e GROUP BY transaction_id HAVING sum(amount) <> 0))::int AS unbalanced,
      (SELECT count(*) FROM a LEFT JOIN sums USING (organization_id, account)
        WHERE a.total <> coalesce(sums.total, 0))::int AS wrong_totals,
      (SELECT count(*) FROM a WHERE account <> 'funding' AND total < 0)::int AS negative,
      (SELECT count(*) FROM (SELECT FROM t WHERE kind = 'charge' GROUP BY subject HAVING count(*) > 1))::int AS charged_twice,
      (SELECT count(*) FROM (SELECT FROM t WHERE kind = 'release' GROUP BY subject HAVING count(*) > 1))::int AS released_twice,
      (SELECT count(*) FROM r JOIN t ON t.subject = r.id AND t.kind = 'charge' WHERE r.status <> 'completed')::int AS charged_unfinished,
      (SELECT count(*) FROM c JOIN t ON t.subject = c.id AND t.kind = 'charge' WHERE c.status <> 'charged')::int AS charged_released,
      (SELECT count(*) FROM r LEFT JOIN work ON subject = r.id WHERE r.held_eur <> coalesce(held, 0))::int AS wrong_holds,
      (SELECT count(*) FROM c LEFT JOIN work ON subject = c.id WHERE c.held_eur <> coalesce(held, 0))::int AS wrong_call_holds,
      (SELECT count(*) FROM r LEFT JOIN work ON subject = r.id WHERE coalesce(r.cost_eur, 0) <> coalesce(charged, 0))::int AS wrong_costs,
      (SELECT count(*) FROM c LEFT JOIN work ON subject = c.id WHERE coalesce(c.cost_eur, 0) <> coalesce(charged, 0))::int AS wrong_call_costs,
      (SELECT count(*) FROM work WHERE held <> 0 AND NOT EXISTS (SELECT FROM r WHERE id = subject)
        AND NOT EXISTS (SELECT FROM c WHERE id = subject))::int AS leaked_holds,
      (SELECT count(*) FROM refunds JOIN t ON t.id = refunds.refers_to JOIN work USING (subject) WHERE charged + refunds.amount < 0)::int AS over_refunded,
      (SELECT count(*) FROM o JOIN organizations g USING (id) WHERE g.in_flight_limit < (
        SELECT count(*) FROM r WHERE r.organization_id = o.id AND status IN ('queued', 'processing')))::int AS over_limit`;
  for (const [name, count] of Object.entries(figures ?? { none: 1 })) {
    if (count !== 0) throw new Error(`${name}: ${count}`);
  }
}

/** Where an organization ended. Money is decimal text with nine places. */
export interface End {
  id: string;
  balance: string;
  held: string;
  events: string[];
  minutes: Record<string, number>;
  revenue: Record<string, string>;
}

export function readEnds(db: Database, organizations: string[]): Promise<End[]> {
  return db.$queryRaw`
    SELECT o.id::text,
      ledger_total(o.id, 'balance')::text AS balance, ledger_total(o.id, 'held')::text AS held,
      ARRAY(SELECT event FROM events WHERE organization_id = o.id ORDER BY event) AS events,
      coalesce((SELECT jsonb_object_agg(month, minutes) FROM billed_minutes WHERE organization_id = o.id), '{}') AS minutes,
      coalesce((SELECT jsonb_object_agg(month, total) FROM (
        SELECT t.month, sum(e.amount)::text AS total
        FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'revenue'
        WHERE t.organization_id = o.id GROUP BY 1) m), '{}') AS revenue
    FROM unnest(${organizations}::uuid[]) AS o (id)`;
}
