import type { Clock } from "../../upstream/timing.ts";

/** A clock that stands still until it is turned. */
export class HandClock implements Clock {
  #now = 0;
  #timers = new Set<{ at: number; run: () => void }>();
  #changed = Promise.withResolvers<void>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until each timer that is set, nearest first. */
  get pending(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }

  /** Waits until a timer for which `fits` holds is set; answers how far away it is. */
  async set(fits: (ms: number) => boolean): Promise<number> {
    for (;;) {
      const found = this.pending.find(fits);
      if (found !== undefined) return found;
      await this.#changed.promise;
    }
  }
}
