/** Balance, top-ups, debits and refunds. Amounts are decimal text (money.ts); `reference` makes each safe to repeat. */
import type { Database } from "../storage/database.ts";
import { newEventId } from "../storage/ids.ts";
import { parseAmount } from "./money.ts";

/** Decimal text with nine places. */
export interface Balance {
  /** What `balance_eur` shows: spendable + held. */
  balance: string;
  /** What a new request may use. */
  spendable: string;
  held: string;
}

export async function readBalance(db: Database, organizationId: string): Promise<Balance> {
  const [row] = await db.$queryRaw<{ answer: Balance }[]>`SELECT balance_of(${organizationId}::uuid) AS answer`;
  if (!row) throw new Error("balance_of answered nothing");
  return row.answer;
}

/** `repeated`: the same was posted before. `reference_reused`: the reference belongs to another amount. */
export type MovedCredit =
  | ({ outcome: "added" | "debited" | "repeated" | "reference_reused" | "insufficient_credit" } & Balance)
  | { outcome: "organization_not_found" };

interface CreditMove {
  organizationId: string;
  amountEur: string;
  reference: string;
  note?: string;
}

/** Throws RangeError when the amount is not one. */
export function addCredit(db: Database, move: CreditMove): Promise<MovedCredit> {
  return moveCredit(db, move, parseAmount(move.amountEur));
}

/** An administrator's debit; `insufficient_credit` when it would take the spendable below 0. May fire credit events. */
export function debitCredit(db: Database, move: CreditMove): Promise<MovedCredit> {
  return moveCredit(db, move, `-${parseAmount(move.amountEur)}`);
}

async function moveCredit(db: Database, move: CreditMove, amount: string): Promise<MovedCredit> {
  const eventIds = [newEventId(), newEventId()];
  const [row] = await db.$queryRaw<{ answer: MovedCredit }[]>`
    SELECT move_credit(${move.organizationId}::uuid, ${amount}::text::numeric, ${move.reference},
      ${move.note ?? ""}, ${eventIds}) AS answer`;
  if (!row) throw new Error("move_credit answered nothing");
  return row.answer;
}

export type Refunded =
  | ({ outcome: "refunded" | "repeated" | "reference_reused" } & Balance)
  | { outcome: "exceeds_charge"; left: string }
  | { outcome: "charge_not_found" };

/** Gives back a charge, or a part of it; all refunds of one charge total at most that charge. */
export async function refundCharge(
  db: Database,
  refund: {
    organizationId: string;
    /** What was charged: a transcript, or a call of chat or embeddings. */
    subjectId: string;
    /** Null: whatever is left of the charge. */
    amountEur: string | null;
    reference: string;
    note?: string;
  },
): Promise<Refunded> {
  const amount = refund.amountEur === null ? null : parseAmount(refund.amountEur);
  const [row] = await db.$queryRaw<{ answer: Refunded }[]>`
    SELECT refund_charge(${refund.organizationId}::uuid, ${refund.subjectId}, ${amount}::text::numeric,
      ${refund.reference}, ${refund.note ?? ""}) AS answer`;
  if (!row) throw new Error("refund_charge answered nothing");
  return row.answer;
}
