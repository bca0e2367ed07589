import { phonesOf, spelledOut } from "./phones.ts";

/** A word or phrase that the caller expects in the recording (`custom_vocabulary`). */
export interface Term {
  /** As it is to be written, single spaces. */
  text: string;
  words: string[];
  /** `plainLetters` of the text. */
  letters: string;
  /** How it may sound: read as Spanish, read as English, its letters called one by one. */
  sounds: string[];
}

/** Fewer sounds than this are found by chance in other words: such a term is only ever respelled, not looked for. */
const FEWEST_SOUNDS = 5;

/** The caller's terms, each once, ready to be looked for. 1,000 terms of 80 characters take some 30 ms. */
export function compileTerms(list: readonly string[]): Term[] {
  const terms = new Map<string, Term>();
  for (const entry of list) {
    const text = entry.normalize("NFC").replace(/\s+/gu, " ").trim();
    const letters = plainLetters(text);
    if (letters === "" || terms.has(letters)) continue;
    const sounds = new Set([phonesOf(text, "es"), phonesOf(text, "en")]);
    if (isAbbreviation(text)) for (const language of ["es", "en"]) sounds.add(spelledOut(text, language));
    terms.set(letters, {
      text,
      words: text.split(" "),
      letters,
      sounds: [...sounds].filter(({ length }) => length >= FEWEST_SOUNDS),
    });
  }
  return [...terms.values()];
}

/** `BBVA` and `TDT` are called by their letters, `IKEA` may be. */
function isAbbreviation(text: string): boolean {
  return /^\p{Lu}{2,6}$/u.test(text);
}

/** Letters and digits in lower case, words kept apart by single spaces: what remains when writing is ignored. */
export function plainLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\s]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
