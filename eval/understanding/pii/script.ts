import type { PiiType } from "../../../understanding/pii/types.ts";
import type { Utterance } from "../../../understanding/types.ts";
import type { Bit, Gold, Said } from "./types.ts";

/** A call being written down, with the place of every word of every value. */
export class Script {
  readonly utterances: Utterance[] = [];
  readonly gold: Gold[] = [];
  readonly #flat: boolean;

  constructor(flat: boolean) {
    this.#flat = flat;
  }

  value(type: PiiType, value: string): Gold {
    const gold: Gold = { type, value, pieces: [] };
    this.gold.push(gold);
    return gold;
  }

  /** One turn, or several where the other side speaks in between. */
  turn(side: string, bits: Bit[], gold?: Gold): void {
    let own: Said[] = [];
    for (const bit of bits) {
      if ("other" in bit) {
        this.#write(side, own, gold);
        own = [];
        this.turn(side === "A" ? "C" : "A", bit.other, gold);
      } else own.push(bit);
    }
    if (own.length > 0) this.#write(side, own, gold);
  }

  #write(side: string, bits: Said[], gold: Gold | undefined): void {
    let text = "";
    const places: { start: number; end: number; slip: boolean }[] = [];
    for (const { say, value, slip } of bits) {
      const shown = this.#flat && !value ? flatten(say) : this.#flat && !/\d/u.test(say) ? say.toLowerCase() : say;
      if (shown === "") continue;
      if (text !== "" && !/^[,.?!;:]/u.test(shown)) text += " ";
      const start = text.length;
      text += shown;
      if (value || slip) places.push({ start, end: start + shown.replace(/[,.]+$/u, "").length, slip: slip ?? false });
    }
    const utterance = this.utterances.length;
    this.utterances.push({
      speaker: side === "A" ? "0" : "1",
      speakerRole: side === "A" ? "agent" : "customer",
      text,
      start: utterance * 4,
      end: utterance * 4 + 4,
    });
    for (const { start, end, slip } of places) {
      if (slip && gold) gold.slips ??= [];
      (slip ? gold?.slips : gold?.pieces)?.push({ utterance, start, end });
    }
  }
}

const flatten = (text: string) => text.toLowerCase().replaceAll(/[¿?¡!,.;:…]/gu, "");
