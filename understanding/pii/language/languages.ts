import { en } from "./en.ts";
import { es } from "./es.ts";
import { type Lexicon, measures } from "./lexicon.ts";

/** Numbers in digits, addresses with an @: what is written the same everywhere. */
const written: Lexicon = {
  numbers: {
    units: {},
    teens: {},
    tens: {},
    hundreds: {},
    hundred: new Set(),
    thousand: new Set(),
    million: new Set(),
    and: "",
    ordinals: {},
    plurals: {},
    times: {},
  },
  letters: {},
  weakLetters: {},
  misheard: {},
  like: [],
  signs: {},
  short: new Set(),
  asides: {},
  between: new Set(),
  corrections: new Set(),
  measures: measures("euros?", "eur", "[mg]b", "k[gm]"),
  before: /[€$£#]\s*$/u,
  cues: [],
  months: {},
};

/** By ISO 639-1 code; other languages than these have their written forms recognised only. */
export const lexiconOf = (language: string): Lexicon => ({ es, en })[language] ?? written;
