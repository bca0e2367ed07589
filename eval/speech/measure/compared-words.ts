import type { TimedWord } from "./word-starts.ts";

/**
 * A word as it is compared where its time matters: Whisper's basic normaliser (openai/whisper, normalizers/basic.py,
 * with diacritics removed), word by word. The English one joins and splits words, which then have no times.
 */
export function comparedWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/[<[][^>\]]*[>\]]/g, "")
    .replace(/\(([^)]+?)\)/g, "")
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[\p{M}\p{S}\p{P}]/gu, "")
    .replace(/\s+/g, "");
}

/** Words with something to compare. */
export function comparedWords(words: readonly TimedWord[]): TimedWord[] {
  return words.flatMap(({ text, start, end }) => {
    const compared = comparedWord(text);
    return compared === "" ? [] : [{ text: compared, start, end }];
  });
}
