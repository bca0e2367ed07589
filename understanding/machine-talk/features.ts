import { fold } from "../words.ts";

/** Places that features are hashed to: a power of two. */
export const PLACES = 1 << 14;

/** Letters of a piece of a word. */
const PIECES = [4, 5];

/**
 * What a sentence is made of, as places of a vector of length 1: its words, each two that follow each other or nearly, and the
 * pieces of its words, so that forms of a word and words that were never seen count too. Digits are all alike.
 */
export function featuresOf(sentence: string): Map<number, number> {
  const words =
    fold(sentence)
      .replaceAll(/\d/gu, "0")
      .match(/[\p{L}\p{N}]+|[:{}[\]<>]/gu) ?? [];
  const found = new Map<number, number>();
  const add = (feature: string, weight: number) => {
    const place = hash(feature) % PLACES;
    found.set(place, (found.get(place) ?? 0) + weight);
  };
  words.forEach((word, at) => {
    add(`w ${word}`, 1);
    if (at === 0) add(`first ${word}`, 0.5);
    for (const near of [1, 2]) {
      const next = words[at + near];
      if (next !== undefined) add(`n${near} ${word} ${next}`, near === 1 ? 0.7 : 0.4);
    }
    const padded = `<${word}>`;
    for (const length of PIECES)
      for (let from = 0; from + length <= padded.length; from++) add(`p ${padded.slice(from, from + length)}`, 0.3);
  });
  const length = Math.hypot(...found.values());
  for (const [place, weight] of found) found.set(place, weight / length);
  return found;
}

/** FNV-1a, 32 bits, over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value ^= text.charCodeAt(at);
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
}
