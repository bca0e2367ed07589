import { type Module, type TokenPrices, type TranscriptPrices, tokenProducts } from "../../billing/prices.ts";

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

/** What is held and charged for: a transcript or a call. */
interface Work {
  status: "open" | "charged" | "ended" | "deleted";
  month: string;
  held: Nano;
  charged: Nano;
  /** The ledger has a charge to refund: nothing is posted where neither hold nor price was over 0. */
  posted: boolean;
  refunded: Nano;
}

export interface ModelTranscript extends Work {
  requested: readonly Module[];
  priority: "standard" | "economy";
  raised: boolean;
}

export interface ModelCall extends Work {
  model: string;
}

export interface Rules {
  prices: TranscriptPrices;
  tokenPrices: TokenPrices;
  limit: number;
  threshold: Nano;
  /** Months of the transcripts, the first `before` of them in the first: the edge is between two microseconds. */
  months: [string, string];
  before: number;
  /** Month of the calls. */
  today: string;
  /** Minutes billed before in each of `months`. */
  counters: [number, number];
}

/** One organization in memory: what each step of billing/ must answer, one after the other. */
export class LedgerModel {
  balance = 0n;
  held = 0n;
  created = 0;
  readonly minutes = new Map<string, number>();
  readonly revenue = new Map<string, Nano>();
  readonly transcripts: ModelTranscript[] = [];
  readonly calls: ModelCall[] = [];
  readonly references = new Map<string, unknown>();
  readonly events: string[] = [];
  readonly rules: Rules;

  constructor(rules: Rules) {
    this.rules = rules;
    for (const [at, month] of rules.months.entries()) this.minutes.set(month, rules.counters[at] ?? 0);
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
    if (this.transcripts.filter(({ status }) => status === "open").length >= this.rules.limit) {
      return "concurrency_limit";
    }
    const month = this.rules.months[this.created < this.rules.before ? 0 : 1];
    const estimate = this.line(month, ms, priority, requested, requested);
    if (estimate > this.balance || this.balance <= 0n) return "insufficient_credit";
    this.created += 1;
    this.hold(estimate);
    this.transcripts.push({ ...opened(month, estimate), requested, priority, raised: false });
    return "ok";
  }

  raise(row: ModelTranscript, ms: number): string {
    if (row.status === "deleted") return "gone";
    if (row.status !== "open") return "final";
    if (row.raised) return "repeated";
    const more = this.line(row.month, ms, row.priority, row.requested, row.requested) - row.held;
    if (more > this.balance) return "insufficient_credit";
    row.raised = true;
    if (more <= 0n) return "enough";
    this.hold(more);
    row.held += more;
    return "raised";
  }

  settle(row: ModelTranscript, ms: number, delivered: readonly Module[]): string {
    if (row.status === "deleted") return "gone";
    if (row.status === "charged") return "repeated";
    if (row.status !== "open") return "final";
    const price = this.line(row.month, ms, row.priority, row.requested, delivered);
    this.minutes.set(row.month, (this.minutes.get(row.month) ?? 0) + minutesOf(ms));
    this.events.push("transcript.completed");
    this.charge(row, price);
    return "settled";
  }

  fail(row: ModelTranscript): string {
    if (row.status === "deleted") return "gone";
    if (row.status !== "open") return "final";
    this.release(row);
    this.events.push("transcript.failed");
    return "failed";
  }

  delete(row: ModelTranscript): string {
    if (row.status === "deleted") return "not_found";
    if (row.status === "open") this.release(row);
    row.status = "deleted";
    return "deleted";
  }

  holdUsage(model: string, prompt: number, completion: number): string {
    const estimate = this.tokens(model, prompt, completion);
    if (estimate > this.balance || this.balance <= 0n) return "insufficient_credit";
    this.hold(estimate);
    this.calls.push({ ...opened(this.rules.today, estimate), model });
    return "held";
  }

  settleUsage(call: ModelCall, prompt: number, completion: number): string {
    if (call.status === "charged") return "repeated";
    if (call.status !== "open") return "released";
    this.charge(call, this.tokens(call.model, prompt, completion));
    return "settled";
  }

  releaseUsage(call: ModelCall): null {
    if (call.status === "open") this.release(call);
    return null;
  }

  refund(row: Work, wanted: Nano | null, reference: string): string {
    if (!row.posted) return "charge_not_found";
    const before = this.references.get(`refund ${reference}`) as { row: Work; amount: Nano } | undefined;
    if (before) {
      return before.row === row && (wanted === null || wanted === before.amount) ? "repeated" : "reference_reused";
    }
    const left = row.charged - row.refunded;
    const amount = wanted ?? left;
    if (amount > left || amount <= 0n) return "exceeds_charge";
    this.references.set(`refund ${reference}`, { row, amount });
    row.refunded += amount;
    this.balance += amount;
    this.earn(row.month, -amount);
    return "refunded";
  }

  /** Price of one transcript, minute by minute as the price list reads. */
  line(month: string, ms: number, priority: string, requested: readonly Module[], delivered: readonly Module[]): Nano {
    const { prices } = this.rules;
    const tiers = prices.asr.map(({ from_minutes, eur_per_hour }) => ({ from_minutes, rate: nano(eur_per_hour) }));
    const first = this.minutes.get(month) ?? 0;
    let hourly = 0n;
    for (let minute = first; minute < first + minutesOf(ms); minute++) {
      hourly += tiers.findLast(({ from_minutes }) => from_minutes <= minute)?.rate ?? 0n;
    }
    let modules = delivered.reduce((sum, name) => sum + nano(prices.modules[name]), 0n);
    const pack = nano(priority === "economy" ? prices.pack_economy : prices.pack);
    if (requested.length === Object.keys(prices.modules).length && pack < modules) modules = pack;
    return halfEven(hourly + BigInt(minutesOf(ms)) * modules, 60n);
  }

  tokens(model: string, prompt: number, completion: number): Nano {
    const { tokenPrices } = this.rules;
    const products = tokenProducts[model];
    if (!products) throw new RangeError(model);
    const output = products.completion ? BigInt(completion) * nano(tokenPrices[products.completion]) : 0n;
    return halfEven(BigInt(prompt) * nano(tokenPrices[products.prompt]) + output, 1_000_000n);
  }

  private hold(amount: Nano): void {
    this.balance -= amount;
    this.held += amount;
  }

  private release(row: Work): void {
    row.status = "ended";
    this.held -= row.held;
    this.balance += row.held;
    row.held = 0n;
  }

  private charge(row: Work, price: Nano): void {
    const shown = this.balance + this.held;
    const wasHeld = row.held > 0n;
    this.release(row);
    row.status = "charged";
    row.charged = price < this.balance ? price : this.balance;
    row.posted = wasHeld || row.charged > 0n;
    this.balance -= row.charged;
    this.earn(row.month, row.charged);
    this.debited(shown);
  }

  private earn(month: string, amount: Nano): void {
    this.revenue.set(month, (this.revenue.get(month) ?? 0n) + amount);
  }

  private debited(before: Nano): void {
    const after = this.balance + this.held;
    if (before >= this.rules.threshold && this.rules.threshold > after) this.events.push("credit.low");
    // Six places, half to even: up to 500 nano-euros show as nothing.
    if (before > 0n && after < before && after <= 500n) this.events.push("credit.exhausted");
  }
}

const opened = (month: string, held: Nano) => ({
  ...{ status: "open" as const, month, held, charged: 0n, posted: false, refunded: 0n },
});

export const minutesOf = (ms: number) => Math.max(1, Math.ceil(ms / 60_000));

function halfEven(dividend: bigint, divisor: bigint): bigint {
  const [whole, twice] = [dividend / divisor, 2n * (dividend % divisor)];
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
}
