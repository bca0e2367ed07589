import type { Term } from "./terms.ts";

/**
 * A term in place of the written words `raws`: with their leading space and opening mark, their closing marks and an
 * English possessive. One entry a word.
 */
export function respell(raws: readonly string[], term: Term): string[] {
  const [first, last] = [raws[0] ?? "", raws.at(-1) ?? ""];
  const before = /^[^\p{L}\p{N}]*/u.exec(first)?.[0] ?? "";
  const after = /(?:['’]s)?[^\p{L}\p{N}]*$/u.exec(last)?.[0] ?? "";
  const kept = /['’]s$/iu.test(term.text) ? after.replace(/^['’]s/u, "") : after;
  const ends = term.text.length - 1;
  const closing = /[^\p{L}\p{N}]/u.test(term.text[ends] as string) ? kept.replace(term.text[ends] as string, "") : kept;
  return term.words.map(
    (word, index) => (index === 0 ? before : " ") + word + (index === term.words.length - 1 ? closing : ""),
  );
}

/**
 * The same letters, written as the caller writes them: a word of the term that has capitals is taken over, one without
 * is left as it stands, so that it can begin a sentence.
 */
export function recase(raws: readonly string[], term: Term): string[] {
  if (term.words.length !== raws.length) return [...raws];
  return raws.map((raw, index) => {
    const word = term.words[index] as string;
    if (word === word.toLowerCase()) return raw;
    return respell([raw], { ...term, text: word, words: [word] })[0] as string;
  });
}
