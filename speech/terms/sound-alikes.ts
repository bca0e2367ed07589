import type { NearMiss } from "./near-misses.ts";

/** Sounds of a term that words hardly have in common with it by chance. */
const LONG = 8;
/** The same but for a sound or two; enough where the decoder gave some token less than an even chance. */
const VERY_NEAR = 0.12;
/** Alike; enough where the decoder was lost: so many nats from certainty in all, and at one word. */
const NEAR = 0.23;
const LOST = 3;
const LOST_AT_A_WORD = -0.5;

/**
 * Near misses that are so near that they need no second opinion, nearest first and without a word in common:
 * `fuente a la` is `Fuentealba`. Names that the decoder has never seen it does not say, however much it is helped. Only
 * where it was in doubt itself, because everyday words come as near: `la nueva` to `Villanueva`, `directly` to
 * `Direct Line` (docs/decisions/custom-vocabulary.md). `certainty` as for `findNearMisses`; `doubt`: nats that each word
 * is away from certainty.
 */
export function soundAlikes(
  near: readonly NearMiss[],
  words: readonly { raw: string; certainty: number; doubt: number }[],
): NearMiss[] {
  const taken = new Set<number>();
  return near
    .filter((miss) => isAlike(miss, words.slice(miss.from, miss.to)))
    .toSorted((a, b) => a.distance - b.distance || a.from - b.from)
    .filter(({ from, to }) => {
      const places = Array.from({ length: to - from }, (_, i) => from + i);
      if (places.some((place) => taken.has(place))) return false;
      for (const place of places) taken.add(place);
      return true;
    });
}

function isAlike(
  { term, distance }: NearMiss,
  words: readonly { raw: string; certainty: number; doubt: number }[],
): boolean {
  if (distance > NEAR || Math.max(0, ...term.sounds.map((said) => said.length)) < LONG) return false;
  if (words.slice(0, -1).some(({ raw }) => /[.?!]$/u.test(raw))) return false; // nobody pauses inside a name
  const certainty = Math.min(...words.map((word) => word.certainty));
  if (distance <= VERY_NEAR) return certainty < 0;
  return certainty < LOST_AT_A_WORD && words.reduce((sum, { doubt }) => sum + doubt, 0) >= LOST;
}
