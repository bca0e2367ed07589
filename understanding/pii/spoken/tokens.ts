export interface Token {
  kind: "word" | "number" | "sign";
  /** In lower case and without accents (ñ stays). */
  text: string;
  /** As written. */
  written: string;
  /** UTF-16 offsets in the text of the turn. */
  start: number;
  end: number;
}

/** Lower case without accents, each UTF-16 unit for itself: an offset here is an offset in the text. */
export function fold(text: string): string {
  return text.replaceAll(/\P{ASCII}|[A-Z]/gu, (sign) => {
    const small = sign.toLowerCase();
    const base = small === "ñ" ? small : (small.normalize("NFD")[0] as string);
    return sign.length === 1 && base.length === 1 ? base : sign;
  });
}

/** Words, numbers and single signs; what is between them is space. */
export function tokenise(text: string): Token[] {
  const folded = fold(text);
  return [...folded.matchAll(/\d+|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}\d]/gu)].map(
    ({ 0: found, index }) => ({
      kind: /^\d/u.test(found) ? "number" : /^[\p{L}\p{M}]/u.test(found) ? "word" : "sign",
      text: found.replaceAll(/\p{M}/gu, ""),
      written: text.slice(index, index + found.length),
      start: index,
      end: index + found.length,
    }),
  );
}
