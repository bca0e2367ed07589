import type { Half } from "../dictations/read.ts";
import type { Random } from "../random.ts";
import type { Language } from "../types.ts";
import type { Phrases } from "./phrases.ts";

/** How one person says values, and how recognition writes this person. Chances are from 0 to 1. */
export interface Manner {
  language: Language;
  half: Half;
  phrases: Phrases;
  random: Random;
  /** Digits as recognition wrote them. */
  form: "words" | "numerals" | "mixed";
  /** Sizes of what is said in one breath. */
  sizes: readonly number[];
  /** Digit by digit within a breath. */
  singles: number;
  /** "doble tres", "two fives". */
  doubles: number;
  zero: string;
  letters: "glued" | "capitals" | "dotted" | "lower" | "names" | "like" | "code";
  /** Between two breaths. */
  joint: readonly string[];
  filler: number;
  link: number;
  turns: number;
  slip: number;
}

const SIZES = [[3], [2], [2, 3], [1, 2, 3], [4], [1], [3, 2, 2], [2, 2, 3], [1, 2], [3, 4], [5, 4]];
const JOINTS = [
  [" "],
  [", "],
  [" ", ", "],
  ["... ", ", "],
  [". "],
  ["-"],
  [" ", "-", ", ", ". ", " - "],
  ["", " "],
  ["."],
];

export function mannerOf(language: Language, half: Half, phrases: Phrases, random: Random): Manner {
  const form = random.pick(["words", "words", "numerals", "numerals", "mixed"] as const);
  return {
    ...{ language, half, phrases, random, form },
    sizes: random.pick(SIZES),
    singles: random.pick([0, 0.3, 1]),
    doubles: random.pick([0, 0.4, 0.9]),
    zero: language === "es" ? "cero" : random.pick(["zero", "zero", "oh", "oh", "o", "nought"]),
    letters: random.pick([
      "glued",
      "capitals",
      "dotted",
      "lower",
      "names",
      "like",
      language === "en" ? "code" : "names",
    ]),
    // What is glued or hyphenated was recognised as numerals.
    joint: random.pick(form === "numerals" ? JOINTS : JOINTS.slice(0, 5)),
    filler: random.pick([0, 0, 0.1, 0.3]),
    link: random.pick([0, 0, 0.15]),
    turns: random.pick([0, 0, 0, 0.2, 0.6]),
    slip: random.pick([0, 0, 0, 0.15]),
  };
}

/** The agent's, who reads back what was said. */
export function otherManner({ language, half, phrases, random }: Manner): Manner {
  return { ...mannerOf(language, half, phrases, random), filler: 0, link: 0, turns: 0, slip: 0 };
}
