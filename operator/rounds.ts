import { type Clock, inTime } from "./clock.ts";

export interface RoundParts {
  clock: Clock;
  /** Brings in what is not watched: what waits, and what the workers say. */
  refresh(): Promise<void>;
  /** Every pool there is, as `namespace/name`. */
  pools(): string[];
  /** Decides about one. Rejects only with what must end the process. */
  decide(pool: string): Promise<void>;
}

/** A decision about each pool so often, changed or not: time is an input too. */
export const EVERY_MS = 2_000;
/** A round does not wait longer for answers; those that are late count in the next one. */
const ANSWERS_MS = 500;
/** Changes come in bursts, and a burst is one decision. */
const BURST_MS = 50;
/** Why a wait is ended; a reason of its own spares an exception with its stack. */
const DONE = "done";

/**
 * When to decide: about all pools every 2 s, and in between about those that something was heard of. Never twice at a
 * time about the same one, and no pool waits for another whose workers or writes take long.
 */
export class Rounds {
  readonly #parts: RoundParts;
  readonly #heard = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();
  #fault: { error: unknown } | undefined;
  /** The answers for this round are in, or late: every pool's turn. */
  #due = false;
  #wake: (() => void) | undefined;
  #roundAt: number;

  constructor(parts: RoundParts) {
    this.#parts = parts;
    this.#roundAt = parts.clock.monotonic();
  }

  /** Milliseconds since the last round began: grows when one hangs. */
  get age(): number {
    return this.#parts.clock.monotonic() - this.#roundAt;
  }

  /** Something about this pool has changed. */
  hear(pool: string): void {
    this.#heard.add(pool);
    this.#wake?.();
  }

  /** Until the signal is aborted or a decision fails; what is under way is finished. Rejects with that failure. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, pools } = this.#parts;
    signal.addEventListener("abort", () => this.#wake?.(), { once: true });
    const over = () => signal.aborted || this.#fault !== undefined;
    while (!over()) {
      this.#roundAt = clock.monotonic();
      const refreshing = this.#refresh();
      for (let left = EVERY_MS; left > 0 && !over(); left = this.#left()) {
        await this.#quiet(left);
        if (over()) break;
        if (this.#due) {
          this.#due = false;
          this.#begin(pools());
        } else if (this.#hasNews()) {
          await clock.sleep(Math.min(BURST_MS, this.#left()), signal);
          if (!over()) this.#begin(pools().filter((pool) => this.#heard.has(pool)));
        }
      }
      await refreshing;
    }
    await Promise.all(this.#underWay.values());
    if (this.#fault) throw this.#fault.error;
  }

  /** What is heard of a pool while it is being decided about is kept for afterwards. */
  #begin(pools: string[]): void {
    const free = pools.filter((pool) => !this.#underWay.has(pool));
    for (const pool of this.#heard) if (!this.#underWay.has(pool)) this.#heard.delete(pool);
    for (const pool of free) this.#underWay.set(pool, this.#decide(pool));
  }

  async #decide(pool: string): Promise<void> {
    try {
      await this.#parts.decide(pool);
    } catch (error) {
      this.#fault ??= { error };
    }
    this.#underWay.delete(pool);
    if (this.#fault || this.#heard.has(pool)) this.#wake?.();
  }

  /** Something was heard of a pool that can be decided about now. */
  #hasNews(): boolean {
    return [...this.#heard].some((pool) => !this.#underWay.has(pool));
  }

  /** Beside it, what is heard is decided about with the answers of before. */
  async #refresh(): Promise<void> {
    await inTime(this.#parts.clock, ANSWERS_MS, this.#parts.refresh());
    this.#due = true;
    this.#wake?.();
  }

  #left(): number {
    return this.#roundAt + EVERY_MS - this.#parts.clock.monotonic();
  }

  /** Until something is heard, at most so long. */
  async #quiet(milliseconds: number): Promise<void> {
    if (this.#due || this.#hasNews()) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort(DONE);
    await this.#parts.clock.sleep(milliseconds, woken.signal);
    this.#wake = undefined;
  }
}
