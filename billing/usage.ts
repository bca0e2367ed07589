/**
 * Money of chat and embeddings: an upper bound is held before the upstream is asked, the tokens really used are charged
 * after. Each step is one statement, safe to repeat (docs/decisions/money-in-sql.md). While a call runs, its API process
 * renews its lease every 20 s; a call whose process died is released by the sweeper and never billed.
 *
 *     hold → held                     ask the upstream; renew; then settle or release
 *          → insufficient_credit      402
 *     settle → settled                charged; answer the client
 *            → released               the lease had ended: not billed; answer the client all the same
 *            → idempotency_lost       another request runs under the key: wait for its answer
 */
import type { Database } from "../storage/database.ts";
import type { IdempotencyLease } from "../storage/idempotency.ts";
import { newEventId } from "../storage/ids.ts";
import { type TokenPrices, type TokenProduct, tokenPrices, tokenProducts } from "./prices.ts";

/** How long a call outlives its process; renewed every third of it. */
export const USAGE_LEASE_MS = 60_000;
export const USAGE_RENEWAL_MS = 20_000;

export interface UsageHold {
  /** `newChatCompletionId()` or `newEmbeddingId()`. */
  id: string;
  organizationId: string;
  apiKeyId: string | null;
  kind: "chat" | "embeddings";
  /** Model id of section 2.12. */
  model: string;
  /** Upper bounds. Embeddings have no completion: 0. */
  promptTokens: number;
  completionTokens: number;
  /** The price list unless a test says otherwise; the call is charged at what is given here. */
  prices?: TokenPrices;
}

/** Amounts are decimal text with nine places. */
export type HeldUsage =
  | { outcome: "held"; heldEur: string }
  /** Less is spendable than the bound costs, or nothing at all. */
  | { outcome: "insufficient_credit"; estimatedEur: string }
  | { outcome: "organization_not_found" };

export async function holdUsage(db: Database, hold: UsageHold): Promise<HeldUsage> {
  return only(await holdUsages(db, [hold]));
}

/**
 * Holds of one organization in one statement, one after the other under one lock; answers in their order. One that is not
 * covered leaves the others alone. Rejects for all of them.
 */
export async function holdUsages(db: Database, holds: readonly UsageHold[]): Promise<HeldUsage[]> {
  const parameters = holds.map((hold) => ({
    id: hold.id,
    organization_id: hold.organizationId,
    api_key_id: hold.apiKeyId,
    kind: hold.kind,
    model: hold.model,
    prompt_tokens: hold.promptTokens,
    completion_tokens: hold.completionTokens,
    prices: pricesOf(hold.model, hold.prices ?? tokenPrices),
    lease_ms: USAGE_LEASE_MS,
  }));
  const rows = await db.$queryRaw<{ answer: HoldAnswer }[]>`
    SELECT hold_usage(p) AS answer FROM jsonb_array_elements(${JSON.stringify(parameters)}::jsonb) p`;
  return rows.map(({ answer }) => {
    if (answer.outcome === "held") return { outcome: answer.outcome, heldEur: answer.held_eur };
    if (answer.outcome === "organization_not_found") return answer;
    return { outcome: answer.outcome, estimatedEur: answer.estimated_eur };
  });
}

type HoldAnswer =
  | { outcome: "held"; held_eur: string }
  | { outcome: "insufficient_credit"; estimated_eur: string }
  | { outcome: "organization_not_found" };

/** False when the call has ended: its hold was released, and what it goes on doing will not be billed. */
export async function renewUsage(db: Database, id: string): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE usage_calls
    SET leased_until = clock_timestamp() + make_interval(secs => ${USAGE_LEASE_MS / 1000}::double precision)
    WHERE id = ${id} AND status = 'running'`;
  return renewed > 0;
}

export interface UsageSettlement {
  id: string;
  promptTokens: number;
  /** Embeddings: 0. */
  completionTokens: number;
  /** The upstream did not say how many; kept with the call. */
  estimated: boolean;
  /** The key is finished with this answer in the same transaction. */
  idempotency?: { lease: IdempotencyLease; response: { status: number; body: string } } | null;
}

export type SettledUsage =
  /** `writtenOffEur`: what hold and spendable did not cover; count it (`escriba_written_off_eur_total`). */
  | { outcome: "settled" | "repeated"; chargedEur: string; writtenOffEur: string }
  /** Released before, by `releaseUsage` or the sweeper: nothing was billed. The key keeps the answer. */
  | { outcome: "released" }
  /** The key's lease went to another request: this one was released, nothing was billed. */
  | { outcome: "idempotency_lost" };

/** Charges min(price, hold + spendable), gives back the rest, fires credit events, finishes the Idempotency-Key. */
export async function settleUsage(db: Database, settlement: UsageSettlement): Promise<SettledUsage> {
  return only(await settleUsages(db, [settlement]));
}

/** Settlements of one organization in one transaction, in their order, as `holdUsages`. */
export async function settleUsages(db: Database, settlements: readonly UsageSettlement[]): Promise<SettledUsage[]> {
  const parameters = settlements.map((settlement) => ({
    id: settlement.id,
    prompt_tokens: settlement.promptTokens,
    completion_tokens: settlement.completionTokens,
    estimated: settlement.estimated,
    idempotency: settlement.idempotency?.lease ?? null,
    response_status: settlement.idempotency?.response.status ?? null,
    // credit.low, credit.exhausted; what does not fire leaves its id unused.
    event_ids: [newEventId(), newEventId()],
  }));
  const bodies = settlements.map(({ idempotency }) => idempotency?.response.body ?? null);
  const rows = await db.$queryRaw<{ answer: SettleAnswer }[]>`
    SELECT settle_usage(p, body) AS answer
    FROM ROWS FROM (jsonb_array_elements(${JSON.stringify(parameters)}::jsonb), unnest(${bodies}::text[])) c(p, body)`;
  return rows.map(({ answer }) =>
    "charged_eur" in answer
      ? { outcome: answer.outcome, chargedEur: answer.charged_eur, writtenOffEur: answer.written_off_eur }
      : answer,
  );
}

function only<T>(answers: T[]): T {
  const [answer] = answers;
  if (answer === undefined) throw new Error("the statement answered nothing");
  return answer;
}

type SettleAnswer =
  | { outcome: "settled" | "repeated"; charged_eur: string; written_off_eur: string }
  | { outcome: "released" | "idempotency_lost" };

/** Gives the whole hold back: the call failed, or its client left without a key. Without effect on one that ended. */
export async function releaseUsage(db: Database, id: string): Promise<void> {
  await db.$queryRaw`SELECT release_usage(${id}, false)::text`;
}

/** Releases calls whose process died. Answers how many. */
export async function releaseDeadUsage(db: Database): Promise<number> {
  const dead = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM usage_calls WHERE status = 'running' AND leased_until <= clock_timestamp() ORDER BY leased_until LIMIT 1000`;
  let released = 0;
  // One statement a call: a statement that locked several organizations could deadlock with another sweeper's.
  for (const { id } of dead) {
    const [row] = await db.$queryRaw<{ answer: { outcome: string } }[]>`SELECT release_usage(${id}, true) AS answer`;
    if (row?.answer.outcome === "released") released += 1;
  }
  return released;
}

function pricesOf(model: string, prices: TokenPrices) {
  const products = tokenProducts[model];
  if (!products) throw new RangeError(`no price is known for the tokens of ${JSON.stringify(model)}`);
  const price = (product: TokenProduct) => ({ product, eur_per_million: prices[product] });
  return { prompt: price(products.prompt), completion: products.completion && price(products.completion) };
}
