/**
 * Text as the cues read it: lower case, no accents, no apostrophes ("I'm" is "im"), commas gone, sentence ends as
 * separate "." and "?". A recogniser is not sure of any of these, so no cue may need them.
 */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f'’`´]/g, "")
    .replace(/[.!…]+/g, " . ")
    .replace(/\?+/g, " ? ")
    .replace(/[^a-z0-9.?]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** How many words it has, sentence ends not counted. */
export function countWords(plain: string): number {
  return plain.split(" ").filter((word) => /[a-z0-9]/.test(word)).length;
}

const NUMBER_WORDS = new Set(
  (
    "cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta " +
    "cuarenta cincuenta sesenta setenta ochenta noventa cien ciento doscientos trescientos mil guion arroba " +
    "zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred double dash nought"
  ).split(" "),
);

/** Spoken or written figures and spelled letters in it: "six one two 4 4 9 b" has seven. */
export function countFigures(plain: string): number {
  let figures = 0;
  for (const word of plain.split(" ")) {
    if (/^\d+$/.test(word)) figures += Math.min(word.length, 12);
    else if (NUMBER_WORDS.has(word) || /^[b-df-hj-nq-x]$/.test(word)) figures += 1;
  }
  return figures;
}

/** A pattern over plain words, matched at word boundaries. `alternatives` are pieces of regular expressions. */
export function phrases(...alternatives: string[]): RegExp {
  return new RegExp(`(?<![a-z0-9])(?:${alternatives.join("|")})(?![a-z0-9])`, "g");
}

export function countMatches(plain: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of plain.matchAll(pattern)) count += 1;
  return count;
}
