import type { Clock } from "../upstream/timing.ts";

/** How long a hold that went through lets the next call of its organization begin before its own. */
const COVERED_MS = 10_000;
/** Organizations remembered; the map is emptied beyond, which only costs a wait. */
const MOST_COVERED = 10_000;
/** Longest wait for charges under way: a database that stays away is not waited for. */
const CHARGE_MS = 250;

/**
 * What this process knows about organizations' money besides what the database says: charges that it has under way, and
 * who had enough a moment ago. The database alone decides; this only says what is worth waiting for.
 */
export class MoneyInMotion {
  readonly #clock: Clock;
  readonly #charges = new Map<string, Set<Promise<unknown>>>();
  readonly #covered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
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
    while (this.#charges.size > 0) await Promise.all([...this.#charges.values()].flatMap((own) => [...own]));
  }

  /** How a hold ended. */
  held(organizationId: string, covered: boolean): void {
    if (!covered) this.#covered.delete(organizationId);
    else {
      if (this.#covered.size >= MOST_COVERED) this.#covered.clear();
      this.#covered.set(organizationId, this.#clock.now() + COVERED_MS);
    }
  }

  /** True where the last hold went through moments ago, so that the next will too but for the rarest. */
  isCovered(organizationId: string): boolean {
    return (this.#covered.get(organizationId) ?? 0) > this.#clock.now();
  }
}
