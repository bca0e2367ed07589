/** Sounds that are mistaken for each other, and at what price; all others of a kind cost 1. */
const ALIKE: readonly (readonly [sounds: string, price: number])[] = [
  ["bv", 0.2],
  ["sZT", 0.3],
  ["sSC", 0.5],
  ["CJS", 0.4],
  ["yJ", 0.4],
  ["yi", 0.2],
  ["gu", 0.5],
  ["pb", 0.4],
  ["td", 0.4],
  ["kg", 0.4],
  ["gX", 0.5],
  ["kX", 0.6],
  ["fT", 0.5],
  ["fv", 0.4],
  ["fp", 0.6],
  ["mnN", 0.4],
  ["lr", 0.5],
  ["rd", 0.6],
  ["ei", 0.3],
  ["ou", 0.3],
  ["aeo", 0.5],
];
const VOWELS = "aeiou";
const VOWEL = 0.6;
const INSERTED_VOWEL = 0.6;
const INSERTED_CONSONANT = 0.9;
const INSERTED_H = 0.3;

const PRICES = new Map<number, number>();
for (const [sounds, price] of ALIKE) {
  for (const a of sounds) {
    for (const b of sounds) {
      const key = pair(a.charCodeAt(0), b.charCodeAt(0));
      if (a !== b) PRICES.set(key, Math.min(price, PRICES.get(key) ?? 1));
    }
  }
}

/**
 * How differently two runs of sounds (`phonesOf`) sound: 0 for the same, 1 for nothing in common. Edit distance
 * (Levenshtein) in which sounds that are easily mistaken cost less, over the longer one's length. Infinity as soon as
 * it is known to exceed `most`.
 */
export function soundDistance(a: string, b: string, most = 1): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 0;
  const limit = most * longest;
  if (Math.abs(a.length - b.length) * INSERTED_H > limit) return Number.POSITIVE_INFINITY;
  const row = new Float64Array(b.length + 1);
  for (let j = 0; j < b.length; j++) row[j + 1] = (row[j] as number) + inserted(b.charCodeAt(j));
  for (let i = 0; i < a.length; i++) {
    const from = a.charCodeAt(i);
    let diagonal = row[0] as number;
    row[0] = diagonal + inserted(from);
    let least = row[0];
    for (let j = 0; j < b.length; j++) {
      const to = b.charCodeAt(j);
      const above = row[j + 1] as number;
      const price = Math.min(diagonal + replaced(from, to), above + inserted(from), (row[j] as number) + inserted(to));
      row[j + 1] = price;
      diagonal = above;
      if (price < least) least = price;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
  }
  const distance = row[b.length] as number;
  return distance > limit ? Number.POSITIVE_INFINITY : distance / longest;
}

function replaced(a: number, b: number): number {
  if (a === b) return 0;
  return PRICES.get(pair(a, b)) ?? (isVowel(a) && isVowel(b) ? VOWEL : 1);
}

function inserted(sound: number): number {
  if (sound === 0x68) return INSERTED_H;
  return isVowel(sound) ? INSERTED_VOWEL : INSERTED_CONSONANT;
}

function isVowel(sound: number): boolean {
  return VOWELS.includes(String.fromCharCode(sound));
}

function pair(a: number, b: number): number {
  return a * 65_536 + b;
}
