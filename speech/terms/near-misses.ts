import { soundDistance } from "./distance.ts";
import { phonesOf } from "./phones.ts";
import { plainLetters, type Term } from "./terms.ts";

/** Words [from, to) of a text that sound like a term. */
export interface NearMiss {
  from: number;
  to: number;
  term: Term;
  /** 0 (the same sounds) to FARTHEST. */
  distance: number;
}

/** Beyond this two runs of sounds have little to do with each other. */
export const FARTHEST = 0.5;
/** A text offers more near misses than this only when the terms are like everyday words; the nearest are judged. */
const MOST = 24;

/**
 * Where a text may have missed a term, ordered by place. `certainty[i]` says of word i how many nats any other word in
 * its place costs at the least; a place that is more certain than `affordable` is not looked at, which leaves a few of
 * a hundred words. What is a term's own spelling already is nobody's near miss.
 */
export function findNearMisses(
  words: readonly string[],
  certainty: readonly number[],
  terms: readonly Term[],
  { language, affordable }: { language: string; affordable: number },
): NearMiss[] {
  const sounds = words.map((word) => phonesOf(word, language));
  const taken = new Set(findSpelled(words, terms).flatMap(({ from, to }) => range(from, to)));
  const found: NearMiss[] = [];
  for (let from = 0; from < words.length; from++) {
    let heard = "";
    let doubt = Number.POSITIVE_INFINITY;
    for (let to = from; to < words.length && to - from < LONGEST_SPAN && !taken.has(to); to++) {
      heard += sounds[to];
      doubt = Math.min(doubt, certainty[to] as number);
      if (doubt > affordable || heard === "") continue;
      for (const term of terms) {
        if (to - from >= term.words.length + EXTRA_WORDS) continue;
        let distance = Number.POSITIVE_INFINITY;
        for (const said of term.sounds) {
          if (tooUneven(said.length, heard.length)) continue;
          distance = Math.min(distance, soundDistance(said, heard, FARTHEST));
        }
        if (distance <= FARTHEST) found.push({ from, to: to + 1, term, distance });
      }
    }
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .sort((a, b) => a.from - b.from);
}

/** Where terms stand already, letter by letter but for case and marks. */
export function findSpelled(
  words: readonly string[],
  terms: readonly Term[],
): { from: number; to: number; term: Term }[] {
  const letters = words.map(plainLetters);
  const byFirst = new Map<string, Term[]>();
  for (const term of terms) {
    const first = term.letters.split(" ")[0] as string;
    byFirst.set(first, [...(byFirst.get(first) ?? []), term]);
  }
  const found: { from: number; to: number; term: Term }[] = [];
  for (let from = 0; from < words.length; from++) {
    const fits = (byFirst.get(letters[from] as string) ?? [])
      .map((term) => ({ from, to: from + term.letters.split(" ").length, term }))
      .filter(({ to, term }) => letters.slice(from, to).join(" ") === term.letters)
      .sort((a, b) => b.to - a.to);
    const [longest] = fits;
    if (!longest) continue;
    found.push(longest);
    from = longest.to - 1;
  }
  return found;
}

/** A term may have been heard as this many words more than it has. */
const EXTRA_WORDS = 3;
const LONGEST_SPAN = 10;

function tooUneven(a: number, b: number): boolean {
  return Math.abs(a - b) > 0.5 * Math.max(a, b);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
