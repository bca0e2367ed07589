/** A word of a text: folded (no case, no accents), and where it stands. */
export interface Word {
  folded: string;
  start: number;
  end: number;
}

/** Scripts that are written without spaces count a character a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv;

export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    folded: fold(word),
    start: index,
    end: index + word.length,
  }));
}

/** Case and accents aside: what a model writes differently from what was heard, without meaning another word. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Words of one family share the beginning: `factura`, `facturación`; six letters tell most others apart. */
export function stem(folded: string): string {
  return folded.slice(0, 6).replace(/(?<=^.{3,})(e?s|a|o|e)$/u, "");
}

/** Short words carry grammar, not content; of scripts without spaces every character may carry some. */
export function isContent(folded: string): boolean {
  return /^\p{N}/u.test(folded) ? folded.length > 1 : folded.length > 3 || !/^[\p{Script=Latin}\p{N}]/u.test(folded);
}
