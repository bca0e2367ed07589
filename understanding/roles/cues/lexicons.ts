import type { Lexicon } from "./cue-names.ts";
import { english } from "./english.ts";
import { spanish } from "./spanish.ts";

/** By ISO 639-1 code. In a call of one of these, cues of all are looked for: callers change language. */
const LEXICONS: Record<string, Lexicon> = { es: spanish, en: english };

/** The lexicons for a call in that language, its own first; empty when the cues do not know it. */
export function lexiconsFor(language: string): Lexicon[] {
  const own = Object.hasOwn(LEXICONS, language) ? LEXICONS[language] : undefined;
  return own ? [own, ...Object.values(LEXICONS).filter((lexicon) => lexicon !== own)] : [];
}
