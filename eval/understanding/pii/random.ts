/** Draws that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(of: readonly T[]): T {
    const one = of[Math.floor(this.next() * of.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => String(this.whole(0, 9))).join("");
  }

  letters(count: number, of = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"): string {
    return Array.from({ length: count }, () => this.pick([...of])).join("");
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((one) => ({ one, place: this.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ one }) => one);
  }
}
