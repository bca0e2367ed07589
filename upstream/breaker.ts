import type { Clock, Timing } from "./timing.ts";

export type BreakerState = "closed" | "half_open" | "open";

/** What became of a try. `neither`: nothing was learnt, such as a client that left. */
export type Verdict = "success" | "failure" | "neither";

/**
 * Circuit breaker of one upstream. Opens after failed tries in a row, refuses everything while open, then lets one call
 * through: its success closes, its failure opens again.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #timing: Timing["breaker"];
  #failures = 0;
  #firstFailure = 0;
  #openUntil: number | null = null;
  #probing = false;

  constructor(clock: Clock, timing: Timing["breaker"]) {
    this.#clock = clock;
    this.#timing = timing;
  }

  get state(): BreakerState {
    if (this.#openUntil === null) return "closed";
    return this.#clock.now() < this.#openUntil ? "open" : "half_open";
  }

  /** Milliseconds until a call is worth making. */
  get waitMs(): number {
    return Math.max(0, (this.#openUntil ?? 0) - this.#clock.now());
  }

  /** Asks for one try; call the result with its verdict, once. Null: stay away. */
  admit(): ((verdict: Verdict) => void) | null {
    const { state } = this;
    if (state === "open" || (state === "half_open" && this.#probing)) return null;
    const probe = state === "half_open";
    if (probe) this.#probing = true;
    return (verdict) => {
      if (probe) this.#probing = false;
      if (verdict === "success") this.#close();
      else if (verdict === "failure") this.#fail(probe);
    };
  }

  #close(): void {
    this.#failures = 0;
    this.#openUntil = null;
  }

  #fail(probe: boolean): void {
    const now = this.#clock.now();
    if (this.#failures === 0) this.#firstFailure = now;
    this.#failures += 1;
    const { failures, spanMs, openMs } = this.#timing;
    const enough = this.#failures >= failures && now - this.#firstFailure >= spanMs;
    // A try that was under way when it opened tells nothing new.
    if (probe || (enough && this.#openUntil === null)) this.#openUntil = now + openMs;
  }
}
