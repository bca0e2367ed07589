/**
 * Word error rate. Normalisation is small on purpose: case, accents (the Spanish references lack them), punctuation,
 * and numbers up to twenty that one side writes as digits.
 */

const NUMBERS: Record<string, string[]> = {
  en: "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  ),
  es: "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte".split(
    " ",
  ),
};

/** Words as they are compared. `language` is `en` or `es`; any other only goes without the numbers. */
export function normalise(text: string, language: string): string[] {
  const numbers = NUMBERS[language] ?? [];
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(/20\s*%/g, "veinte por ciento")
    .replace(/\bmr\b\.?/g, "mister")
    .replace(/[^\p{L}\p{N}' ]/gu, " ")
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => (/^\d{1,2}$/.test(word) ? (numbers[Number(word)] ?? word) : word));
}

/** Fewest insertions, deletions and substitutions that turn one sequence into the other (Levenshtein, 1966). */
export function edits(reference: string[], hypothesis: string[]): number {
  const row = Uint32Array.from({ length: hypothesis.length + 1 }, (_, j) => j);
  reference.forEach((word, i) => {
    let diagonal = row[0] as number;
    row[0] = i + 1;
    for (let j = 1; j <= hypothesis.length; j++) {
      const above = row[j] as number;
      const substitution = diagonal + (word === hypothesis[j - 1] ? 0 : 1);
      row[j] = Math.min(above + 1, (row[j - 1] as number) + 1, substitution);
      diagonal = above;
    }
  });
  return row[hypothesis.length] as number;
}

/** Edits per reference word, in percent. An empty reference has no rate. */
export function wordErrorRate(reference: string, hypothesis: string, language: string): number {
  const expected = normalise(reference, language);
  if (expected.length === 0) throw new Error("the reference has no words");
  return (100 * edits(expected, normalise(hypothesis, language))) / expected.length;
}
