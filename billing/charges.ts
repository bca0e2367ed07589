import type { Database } from "../storage/database.ts";

/** One charge or refund of an invoice. */
export interface Charge {
  /** Of the transcript or call; for a refund, of what is refunded. */
  id: string;
  kind: "transcript" | "chat" | "embeddings" | "refund";
  /** ISO 8601 with milliseconds: when it was charged, which may be in the month after its request. */
  charged_at: string;
  /** Null for a refund, and for a transcript that was deleted. */
  api_key_id: string | null;
  model: string | null;
  /** Started minutes, of a transcript. */
  minutes: number | null;
  /** Of chat and embeddings. */
  prompt_tokens: number | null;
  completion_tokens: number | null;
  /** The tokens were counted by the service, since the upstream did not say. */
  estimated: boolean;
  /** Decimal text with nine places; a refund's is negative. */
  amount_eur: string;
}

const PAGE = 1_000;

/** Every charge and refund of the month in the order of the ledger, a page in memory at a time. */
export async function* listCharges(
  db: Database,
  organizationId: string,
  month: string,
  page = PAGE,
): AsyncGenerator<Charge> {
  for (let after = 0n; ; ) {
    const rows: { id: bigint; charge: Charge }[] = await db.$queryRaw`
      WITH t AS (
        SELECT *, split_part(reference, ':', 2) AS subject FROM ledger_transactions
        WHERE organization_id = ${organizationId}::uuid AND month = ${month} AND kind IN ('charge', 'refund')
          AND id > ${after}::bigint
        ORDER BY id LIMIT ${page}::integer)
      SELECT t.id, jsonb_build_object(
        'id', CASE t.kind WHEN 'refund' THEN split_part(of.reference, ':', 2) ELSE subject END,
        'kind', CASE WHEN t.kind = 'refund' THEN 'refund' ELSE coalesce(c.kind, 'transcript') END,
        'charged_at', iso_ms(t.created_at), 'api_key_id', coalesce(c.api_key_id, r.api_key_id), 'model', c.model,
        'minutes', (SELECT sum((a ->> 'minutes')::bigint) FROM jsonb_array_elements(t.detail -> 'asr') a),
        'prompt_tokens', c.prompt_tokens, 'completion_tokens', c.completion_tokens,
        'estimated', coalesce(c.estimated, false),
        'amount_eur', coalesce(e.amount, 0)::numeric(20, 9)::text) AS charge
      FROM t
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'revenue'
      LEFT JOIN ledger_transactions of ON of.id = t.refers_to
      LEFT JOIN usage_calls c ON t.kind = 'charge' AND c.id = subject
      LEFT JOIN transcripts r ON t.kind = 'charge' AND r.id = subject
      ORDER BY t.id`;
    for (const { charge } of rows) yield charge;
    if (rows.length < page) return;
    after = rows.at(-1)?.id ?? after;
  }
}
