import type { Module, TranscriptPrices } from "../../billing/prices.ts";

/** Euros as whole nano-euros: the model shares no arithmetic with the SQL it checks. */
export type Nano = bigint;

export const nano = (text: string): Nano => {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
  return text.startsWith("-") ? -value : value;
};

export const eur = (value: Nano): string => {
  const digits = String(value < 0n ? -value : value).padStart(10, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -9)}.${digits.slice(-9)}`;
};

export interface ModelTranscript {
  status: "queued" | "completed" | "failed" | "deleted";
  requested: readonly Module[];
  priority: "standard" | "economy";
  held: Nano;
  raised: boolean;
  charged: Nano;
  refunded: Nano;
}

/** One organization in memory: what each step of billing/ must answer, one after the other. */
export class LedgerModel {
  balance = 0n;
  held = 0n;
  minutes = 0;
  readonly transcripts: ModelTranscript[] = [];
  readonly references = new Map<string, Nano>();
  readonly events: string[] = [];
  readonly prices: TranscriptPrices;
  readonly limit: number;
  readonly threshold: Nano;

  constructor(prices: TranscriptPrices, limit: number, threshold: Nano) {
    this.prices = prices;
    this.limit = limit;
    this.threshold = threshold;
  }

  move(amount: Nano, reference: string): string {
    const before = this.references.get(reference);
    if (before !== undefined) return before === amount ? "repeated" : "reference_reused";
    if (this.balance + amount < 0n) return "insufficient_credit";
    this.references.set(reference, amount);
    const shown = this.balance + this.held;
    this.balance += amount;
    if (amount < 0n) this.debited(shown);
    return amount > 0n ? "added" : "debited";
  }

  create(ms: number, requested: readonly Module[], priority: "standard" | "economy"): string {
    if (this.transcripts.filter(({ status }) => status === "queued").length >= this.limit) return "concurrency_limit";
    const estimate = this.line(ms, priority, requested, requested);
    if (estimate > this.balance || this.balance <= 0n) return "insufficient_credit";
    this.hold(estimate);
    const money = { held: estimate, raised: false, charged: 0n, refunded: 0n };
    this.transcripts.push({ status: "queued", requested, priority, ...money });
    return "ok";
  }

  raise(at: number, ms: number): string {
    const row = this.row(at);
    if (row.status === "deleted") return "gone";
    if (row.status !== "queued") return "final";
    if (row.raised) return "repeated";
    const more = this.line(ms, row.priority, row.requested, row.requested) - row.held;
    if (more > this.balance) return "insufficient_credit";
    row.raised = true;
    if (more <= 0n) return "enough";
    this.hold(more);
    row.held += more;
    return "raised";
  }

  settle(at: number, ms: number, delivered: readonly Module[]): string {
    const row = this.row(at);
    if (row.status === "deleted") return "gone";
    if (row.status === "completed") return "repeated";
    if (row.status !== "queued") return "final";
    const price = this.line(ms, row.priority, row.requested, delivered);
    const most = row.held + this.balance;
    const shown = this.balance + this.held;
    row.charged = price;
    if (price > most) row.charged = most;
    this.release(row);
    this.balance -= row.charged;
    row.status = "completed";
    this.minutes += minutesOf(ms);
    this.events.push("transcript.completed");
    this.debited(shown);
    return "settled";
  }

  fail(at: number): string {
    const row = this.row(at);
    if (row.status === "deleted") return "gone";
    if (row.status !== "queued") return "final";
    this.release(row);
    row.status = "failed";
    this.events.push("transcript.failed");
    return "failed";
  }

  delete(at: number): string {
    const row = this.row(at);
    if (row.status === "deleted") return "not_found";
    if (row.status === "queued") this.release(row);
    row.status = "deleted";
    return "deleted";
  }

  refund(at: number, wanted: Nano | null, reference: string): string {
    const row = this.row(at);
    if (row.charged === 0n) return "charge_not_found";
    const key = `refund ${reference}`;
    const before = this.references.get(key);
    if (before !== undefined) {
      const [amount, of] = [before / 1000n, before % 1000n];
      return of === BigInt(at) && (wanted === null || wanted === amount) ? "repeated" : "reference_reused";
    }
    const left = row.charged - row.refunded;
    const amount = wanted ?? left;
    if (amount > left || amount <= 0n) return "exceeds_charge";
    this.references.set(key, amount * 1000n + BigInt(at));
    row.refunded += amount;
    this.balance += amount;
    return "refunded";
  }

  /** Price of one transcript, minute by minute as the price list reads. */
  line(ms: number, priority: string, requested: readonly Module[], delivered: readonly Module[]): Nano {
    let hourly = 0n;
    for (let minute = this.minutes; minute < this.minutes + minutesOf(ms); minute++) {
      const tier = this.prices.asr.findLast(({ from_minutes }) => from_minutes <= minute);
      hourly += nano(tier?.eur_per_hour ?? "0");
    }
    let modules = delivered.reduce((sum, name) => sum + nano(this.prices.modules[name]), 0n);
    const pack = nano(priority === "economy" ? this.prices.pack_economy : this.prices.pack);
    if (requested.length === Object.keys(this.prices.modules).length && pack < modules) modules = pack;
    const total = hourly + BigInt(minutesOf(ms)) * modules;
    const [whole, rest] = [total / 60n, total % 60n];
    return rest > 30n || (rest === 30n && whole % 2n === 1n) ? whole + 1n : whole;
  }

  private row(at: number): ModelTranscript {
    const row = this.transcripts[at];
    if (!row) throw new RangeError(`no transcript ${at}`);
    return row;
  }

  private hold(amount: Nano): void {
    this.balance -= amount;
    this.held += amount;
  }

  private release(row: ModelTranscript): void {
    this.held -= row.held;
    this.balance += row.held;
    row.held = 0n;
  }

  private debited(before: Nano): void {
    const after = this.balance + this.held;
    if (before >= this.threshold && this.threshold > after) this.events.push("credit.low");
    // Six places, half to even: up to 500 nano-euros show as nothing.
    if (before > 0n && after < before && after <= 500n) this.events.push("credit.exhausted");
  }
}

export const minutesOf = (ms: number) => Math.max(1, Math.ceil(ms / 60_000));
