import { Random as Seeded } from "../../random.ts";

/** Draws that a seed repeats, with those that values are made of. */
export class Random extends Seeded {
  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + this.below(to - from + 1);
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
