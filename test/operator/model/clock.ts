import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../operator/clock.ts";

interface Timer {
  at: number;
  order: number;
  ring(): void;
}

/** 2026-01-01: where virtual wall clocks begin. */
export const EPOCH = Date.UTC(2026, 0, 1);

/** Time that passes only in `advance`, and then as fast as what waits for it can run. Same calls, same order. */
export class VirtualClock implements Clock {
  #time = 0;
  #order = 0;
  #timers: Timer[] = [];

  now(): number {
    return EPOCH + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer: Timer = { at: this.#time + Math.max(0, milliseconds), order: this.#order++, ring: resolve };
      this.#add(timer);
      if (!signal) return;
      const abort = () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        resolve();
      };
      signal.addEventListener("abort", abort, { once: true });
      timer.ring = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
    });
  }

  /** Lets so many milliseconds pass: every timer in them rings, and what it woke runs until it waits again. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#time + milliseconds;
    await setImmediate();
    for (let next = this.#timers.at(-1); next && next.at <= until; next = this.#timers.at(-1)) {
      this.#timers.pop();
      this.#time = next.at;
      next.ring();
      await setImmediate();
    }
    this.#time = until;
  }

  /** Latest first, so that the next one is popped; few wait at a time. */
  #add(timer: Timer): void {
    let at = this.#timers.length;
    while (at > 0) {
      const before = this.#timers[at - 1] as Timer;
      if (before.at > timer.at || (before.at === timer.at && before.order > timer.order)) break;
      at -= 1;
    }
    this.#timers.splice(at, 0, timer);
  }
}
