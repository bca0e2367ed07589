/**
 * A month's invoice, from what each charge says it was made of (`ledger_transactions.detail`): no price list and no tier
 * is asked again. A line is quantity × price, rounded once; what the rounding of every single transcript makes in
 * sum is a line of its own, so that all lines together are the ledger's revenue of the month to the last digit.
 */
import type { Database } from "../storage/database.ts";
import { eurText, nanoEur, roundedQuotient } from "./money.ts";
import { moduleProducts } from "./prices.ts";

export interface InvoiceLine {
  /** A product of the price list, or `rounding`, `written_off`, `refunds`. */
  product: string;
  /** Minutes, tokens, or for what is no product the charges it concerns. Decimal text: tokens may pass 2^53. */
  quantity: string;
  unit: "minute" | "token" | "charge" | "refund";
  /** Decimal text; null for what is no product. */
  price: { eur: string; per: "hour" | "million tokens" } | null;
  /** Decimal text with nine places. */
  amountEur: string;
}

export interface Invoice {
  /** `YYYY-MM`: a charge belongs to the month of its request, in UTC. */
  month: string;
  charges: number;
  lines: InvoiceLine[];
  /** The sum of the lines, and the ledger's revenue of the month. */
  totalEur: string;
}

/** The charges' details and the ledger's entries disagree: a fault of ours, to be told and not to be printed over. */
export class InvoiceMismatch extends Error {
  override name = "InvoiceMismatch";
}

/** Throws InvoiceMismatch where the lines do not sum to the ledger's revenue. */
export async function readInvoice(db: Database, organizationId: string, month: string): Promise<Invoice> {
  return invoiceOf(month, await readFigures(db, organizationId, month));
}

/** Amounts are decimal text, quantities whole numbers as text. */
export interface InvoiceFigures {
  asr: { rate: string; minutes: string }[];
  modules: { name: string; rate: string; minutes: string }[];
  tokens: { product: string; rate: string; tokens: string }[];
  charges: number;
  /** What the charges come to, each rounded, before anything was written off. */
  priced: string;
  written_off: string;
  written_off_charges: number;
  /** Negative. */
  refunded: string;
  refunds: number;
  /** From the ledger's entries alone. */
  revenue: string;
}

export function invoiceOf(month: string, figures: InvoiceFigures): Invoice {
  const hourly = (product: string, rate: string, minutes: string): InvoiceLine => ({
    ...{ product, quantity: minutes, unit: "minute", price: { eur: rate, per: "hour" } },
    amountEur: eurText(roundedQuotient(nanoEur(rate) * BigInt(minutes), 60n)),
  });
  const lines: InvoiceLine[] = [
    ...figures.asr.map(({ rate, minutes }) => hourly("asr.scribe1", rate, minutes)),
    ...figures.modules.map(({ name, rate, minutes }) => hourly(moduleProducts[name] ?? name, rate, minutes)),
    ...figures.tokens.map(
      ({ product, rate, tokens }): InvoiceLine => ({
        ...{ product, quantity: tokens, unit: "token", price: { eur: rate, per: "million tokens" } },
        amountEur: eurText(roundedQuotient(nanoEur(rate) * BigInt(tokens), 1_000_000n)),
      }),
    ),
  ];
  const rounding = nanoEur(figures.priced) - sum(lines);
  // Each charge and each line is off by at most half a nano-euro.
  if (2n * (rounding < 0n ? -rounding : rounding) > BigInt(figures.charges + lines.length)) {
    throw new InvoiceMismatch(
      `the products of ${month} come to ${eurText(sum(lines))} EUR, its charges to ${figures.priced} EUR`,
    );
  }
  const adjust = (product: string, unit: "charge" | "refund", count: number, amount: bigint) => {
    if (amount !== 0n) lines.push({ product, quantity: String(count), unit, price: null, amountEur: eurText(amount) });
  };
  adjust("rounding", "charge", figures.charges, rounding);
  adjust("written_off", "charge", figures.written_off_charges, -nanoEur(figures.written_off));
  adjust("refunds", "refund", figures.refunds, nanoEur(figures.refunded));
  const total = sum(lines);
  if (total !== nanoEur(figures.revenue)) {
    throw new InvoiceMismatch(
      `the lines of ${month} sum to ${eurText(total)} EUR, the ledger's revenue is ${figures.revenue} EUR`,
    );
  }
  return { month, charges: figures.charges, lines, totalEur: eurText(total) };
}

const sum = (lines: InvoiceLine[]) => lines.reduce((total, { amountEur }) => total + nanoEur(amountEur), 0n);

/** One statement, and so one snapshot of the ledger. Charges older than `detail.modules` say their modules as one. */
async function readFigures(db: Database, organizationId: string, month: string): Promise<InvoiceFigures> {
  const [row] = await db.$queryRaw<{ figures: InvoiceFigures }[]>`
    WITH t AS (SELECT * FROM ledger_transactions WHERE organization_id = ${organizationId}::uuid AND month = ${month}),
      charges AS (
        SELECT id, detail, (detail ->> 'written_off_eur')::numeric AS written_off,
          (SELECT sum((a ->> 'minutes')::bigint) FROM jsonb_array_elements(detail -> 'asr') a) AS minutes
        FROM t WHERE kind = 'charge'),
      revenue AS (
        SELECT t.kind, e.amount FROM t JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'revenue'),
      asr AS (
        SELECT a ->> 'eur_per_hour' AS rate, sum((a ->> 'minutes')::bigint)::text AS minutes
        FROM charges, jsonb_array_elements(detail -> 'asr') a GROUP BY 1),
      modules AS (
        SELECT m ->> 'name' AS name, m ->> 'eur_per_hour' AS rate, sum(minutes)::text AS minutes
        FROM charges, jsonb_array_elements(coalesce(detail -> 'modules', CASE
          WHEN (detail ->> 'modules_eur_per_hour')::numeric > 0
          THEN jsonb_build_array(jsonb_build_object('name', 'und', 'eur_per_hour', detail ->> 'modules_eur_per_hour'))
        END)) m GROUP BY 1, 2),
      tokens AS (
        SELECT l ->> 'product' AS product, l ->> 'eur_per_million' AS rate, sum((l ->> 'tokens')::bigint)::text AS tokens
        FROM charges, jsonb_array_elements(detail -> 'lines') l GROUP BY 1, 2)
    SELECT jsonb_build_object(
      'asr', (SELECT coalesce(jsonb_agg(x ORDER BY rate::numeric DESC), '[]') FROM asr x),
      'modules', (SELECT coalesce(jsonb_agg(x ORDER BY name, rate), '[]') FROM modules x),
      'tokens', (SELECT coalesce(jsonb_agg(x ORDER BY product, rate), '[]') FROM tokens x WHERE x.tokens <> '0'),
      'charges', (SELECT count(*) FROM charges),
      'priced', (SELECT coalesce(sum((detail ->> 'eur')::numeric), 0)::text FROM charges),
      'written_off', (SELECT coalesce(sum(written_off), 0)::text FROM charges),
      'written_off_charges', (SELECT count(*) FROM charges WHERE written_off > 0),
      'refunded', (SELECT coalesce(sum(amount), 0)::text FROM revenue WHERE kind = 'refund'),
      'refunds', (SELECT count(*) FROM t WHERE kind = 'refund'),
      'revenue', (SELECT coalesce(sum(amount), 0)::text FROM revenue)) AS figures`;
  if (!row) throw new Error("the ledger answered nothing");
  return row.figures;
}
