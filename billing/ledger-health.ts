import type { Database } from "../storage/database.ts";

export interface LedgerHealth {
  /** What accounts hold beyond what transcripts in flight and running calls say is held for them; 0 in a sound ledger. */
  unexplainedHoldsEur: number;
  /** Organizations that paid in once and have nothing left to spend. */
  organizationsWithoutCredit: number;
}

/** One statement, so that all figures are of one moment. */
export async function readLedgerHealth(db: Database): Promise<LedgerHealth> {
  const [row] = await db.$queryRaw<LedgerHealth[]>`
    SELECT (
        (SELECT coalesce(sum(total), 0) FROM ledger_accounts WHERE account = 'held')
        - (SELECT coalesce(sum(held_eur), 0) FROM transcripts WHERE status IN ('queued', 'processing'))
        - (SELECT coalesce(sum(held_eur), 0) FROM usage_calls WHERE status = 'running')
      )::double precision AS "unexplainedHoldsEur",
      (SELECT count(*) FROM ledger_accounts balance JOIN ledger_accounts funding USING (organization_id)
        WHERE balance.account = 'balance' AND funding.account = 'funding' AND balance.total <= 0 AND funding.total < 0
      )::integer AS "organizationsWithoutCredit"`;
  if (!row) throw new Error("the ledger answered nothing");
  return row;
}
