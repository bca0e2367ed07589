import {
  type HeldUsage,
  holdUsages,
  type SettledUsage,
  settleUsages,
  type UsageHold,
  type UsageSettlement,
} from "../billing/usage.ts";
import type { Database } from "../storage/database.ts";
import type { Clock } from "../upstream/timing.ts";
import { Together } from "./together.ts";

/** How long a hold that went through lets the next call of its organization begin before its own. */
const COVERED_MS = 60_000;
/** Organizations remembered; the map is emptied beyond, which only costs a wait. */
const MOST_COVERED = 10_000;
/** How long charges that nobody waits for gather: one transaction, one flush to disk, out of the way of answers. */
const GATHER_MS = 50;
/** Longest wait for charges under way: a database that stays away is not waited for. */
const CHARGE_MS = 250;

/**
 * Money of organizations as one process moves it: statements that one lock would put in line go together, charges that
 * follow their answers are known until they are made, and who had enough a moment ago is remembered. The database alone
 * decides; the rest only says what is worth waiting for.
 */
export class MoneyInMotion {
  readonly #clock: Clock;
  readonly #holds: Together<UsageHold, HeldUsage>;
  readonly #settlements: Together<UsageSettlement, SettledUsage>;
  readonly #charges = new Map<string, Set<Promise<unknown>>>();
  readonly #covered = new Map<string, number>();

  constructor(database: Database, clock: Clock) {
    this.#clock = clock;
    this.#holds = new Together((holds) => holdUsages(database, holds));
    this.#settlements = new Together((settlements) => settleUsages(database, settlements), GATHER_MS);
  }

  /** As `holdUsage`. What is not covered waits for charges under way, which may give back what is missing. */
  async hold(hold: UsageHold): Promise<HeldUsage> {
    const { organizationId } = hold;
    let held = await this.#holds.ask(organizationId, hold);
    if (held.outcome === "insufficient_credit" && (await this.charged(organizationId))) {
      held = await this.#holds.ask(organizationId, hold);
    }
    this.#remember(organizationId, held.outcome === "held");
    return held;
  }

  /** As `settleUsage`, for a settlement that nobody waits for. */
  settle(organizationId: string, settlement: UsageSettlement): Promise<SettledUsage> {
    return this.#settlements.ask(organizationId, settlement);
  }

  /** A charge that follows its answer. `charge` never rejects. */
  charging(organizationId: string, charge: Promise<unknown>): void {
    const own = this.#charges.get(organizationId) ?? new Set();
    this.#charges.set(organizationId, own.add(charge));
    void charge.then(() => {
      own.delete(charge);
      if (own.size === 0 && this.#charges.get(organizationId) === own) this.#charges.delete(organizationId);
    });
  }

  /**
   * Waits, for a moment at most, until the charges of answers given before are made: whoever has seen an answer then
   * sees its price too. False at once when there are none.
   */
  async charged(organizationId: string): Promise<boolean> {
    const own = this.#charges.get(organizationId);
    if (!own) return false;
    this.#settlements.hurry(organizationId);
    await new Promise<void>((resolve) => {
      const tooLong = this.#clock.after(CHARGE_MS, resolve);
      void Promise.all(own).then(() => {
        tooLong();
        resolve();
      });
    });
    return true;
  }

  /** Resolves when no charge is under way: the end of a process. */
  async atRest(): Promise<void> {
    for (const organizationId of this.#charges.keys()) this.#settlements.hurry(organizationId);
    while (this.#charges.size > 0) await Promise.all([...this.#charges.values()].flatMap((own) => [...own]));
  }

  /** True where the last hold went through moments ago, so that the next will too but for the rarest. */
  isCovered(organizationId: string): boolean {
    return (this.#covered.get(organizationId) ?? 0) > this.#clock.now();
  }

  #remember(organizationId: string, covered: boolean): void {
    if (!covered) this.#covered.delete(organizationId);
    else {
      if (this.#covered.size >= MOST_COVERED) this.#covered.clear();
      this.#covered.set(organizationId, this.#clock.now() + COVERED_MS);
    }
  }
}
