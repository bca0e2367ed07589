import type { PiiType } from "../../../understanding/pii/types.ts";
import type { Call } from "../../../understanding/types.ts";

export type Language = "es" | "en";
/** The rules are mended by the first two; `wider` was written with the rules known, to find what they did not. */
export type Split = "development" | "wider" | "held-out";

export interface Chosen {
  split: Split;
  /** Calls of each language. */
  calls: number;
  /** Values of each type and language that are spoken and heard. */
  heard: number;
}

/** The words of one value, wherever they stand; fillers between them are nobody's. */
export interface Gold {
  type: PiiType;
  pieces: { utterance: number; start: number; end: number }[];
  /** The value as it would be written: `12345678Z`. */
  value: string;
  /** What was said wrongly of it and taken back, or misheard: most of a number still, so that hiding it is right, though not asked for. */
  slips?: Gold["pieces"];
}

export interface LabelledCall {
  id: string;
  call: Call;
  gold: Gold[];
}

/** What is said, word by word: a word of the value, a word between, or what the other side says in between. */
export type Bit = Said | { other: Bit[] };

export interface Said {
  say: string;
  value?: boolean;
  /** Of the value, but wrong. */
  slip?: boolean;
}

/** How one person dictates. Chances are from 0 to 1. */
export interface Style {
  digits: DigitStyle;
  /** Between groups: a comma, nothing, or words. */
  between: "comma" | "space" | "words" | "stop";
  letters: "written" | "name" | "word" | "code" | "lower";
  /** "doble cero", "double five". */
  doubles: number;
  filler: number;
  correction: number;
  turns: number;
  /** The other side says what it wrote down, rather than "ajá". */
  echo: number;
  /** As recognition without punctuation writes. */
  flat: boolean;
}

export type DigitStyle = "solid" | "grouped" | "spaced" | "single" | "pairs" | "hundreds" | "mixed" | "number";
