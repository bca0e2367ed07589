import type { PiiType } from "../types.ts";

/**
 * What a number near these words is about: a kind of personal data, somebody's (of which kind its form says), perhaps a plate,
 * or nobody's. `NUMBER` is a number that nothing more is said of: a telephone, most likely.
 */
export type Topic = PiiType | "ANY" | "NUMBER" | "VEHICLE" | "HARMLESS";

/** How one language says digits, letters and signs, and what is said around them. Words are folded (`fold`). */
export interface Lexicon {
  numbers: NumberWords;
  /** Names of letters that are hardly anything else: "zeta", "uve doble" (phrases by single spaces). */
  letters: Record<string, string>;
  /** Names of letters, and code words, that are also plain words. They count within a value, and at its edge where its form asks for them. */
  weakLetters: Record<string, string>;
  /** What recognition writes for a digit at times; taken for one among digits only. */
  misheard: Record<string, number>;
  /** Between a letter and a word that begins with it: "de", "as in". */
  like: string[];
  /** Spoken signs: "guion bajo". */
  signs: Record<string, string>;
  /** Words of three letters or less that are never spelled letters. */
  short: Set<string>;
  /** Several words that mean nothing: "a ver", "I mean"; the last counts for all, or the word that is given. */
  asides: Record<string, true | string>;
  /** Words that may stand within a value: fillers, links, "letra". */
  between: Set<string>;
  /** Words that take back what was said before. */
  corrections: Set<string>;
  /** What is counted or measured; the number before is nobody's. */
  measures: RegExp;
  /** The number after is nobody's: "a las", "page". At the end of what stands before the number. */
  before: RegExp;
  cues: readonly { topic: Topic; words: RegExp }[];
  months: Record<string, number>;
}

export interface NumberWords {
  /** 0 to 9. */
  units: Record<string, number>;
  /** 10 to 29 in one word; they take nothing after them. */
  teens: Record<string, number>;
  tens: Record<string, number>;
  /** 100 to 900 in one word, and words for 100 that multiply what is before. */
  hundreds: Record<string, number>;
  hundred: Set<string>;
  thousand: Set<string>;
  million: Set<string>;
  /** "y", "and". */
  and: string;
  ordinals: Record<string, number>;
  /** "ceros", "zeros", after a count. */
  plurals: Record<string, number>;
  /** "doble" 2, "triple" 3. */
  times: Record<string, number>;
}

/** A pattern over folded text that begins and ends at word boundaries. */
export function phrases(...list: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\d])(?:${list.join("|")})(?![\\p{L}\\d])`, "gu");
}

/** What follows a number that was counted or measured, at the beginning of folded text. */
export function measures(...list: string[]): RegExp {
  return new RegExp(`^\\s*(?:[%€$£°]|-?(?:${list.join("|")})(?![\\p{L}]))`, "u");
}

/** A table of words: `"a b|c"` gives `a b` and `c`. */
export function table<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.flatMap(([words, value]) => words.split("|").map((word) => [word, value])));
}

export const list = (words: string) => new Set(words.split(/[\s|]+/u).filter(Boolean));

/** The ICAO alphabet, as it is said in every language. */
export const CODE_WORDS = table(
  "alpha|alfa bravo|brabo charlie|charly delta echo|eco foxtrot golf hotel india juliet|juliett|julieta kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey|whisky xray|x-ray|x ray yankee zulu"
    .split(/ (?!ray)/u)
    .map((words) => [words, (words[0] as string).toUpperCase()]),
);
