import { longestWord } from "./alignment/uncovered.ts";
import { wordSeparator } from "./languages.ts";
import { type Plan, SAMPLE_RATE, type Segment, type Window, type WindowResult, type Word } from "./types.ts";

/** Seconds within which the same written word of two windows is the same spoken one. */
const SAME = 0.4;

/**
 * The results of a plan's windows, in its order, with each word once. Where windows overlap, because speech was cut
 * without a pause, both have heard what is around the cut, and each knows least of its own end. So the text goes over
 * from one to the other at a word that both have, the one nearest to the cut; with no such word, at words that take
 * the same time; with none of these either, at the cut, and where one side has nothing there the other's words stand.
 */
export function joinSeams(plan: Plan, results: readonly WindowResult[]): WindowResult[] {
  const windows = plan.chunks.flatMap((chunk) => chunk.windows);
  const joined = [...results];
  for (const [i, right] of windows.entries()) {
    const left = windows[i - 1];
    const cut = left && cutBetween(left, right);
    if (cut === undefined) continue;
    const [before, after] = [joined[i - 1] as WindowResult, joined[i] as WindowResult];
    const over = takeOver(wordsOf(before), wordsOf(after), cut);
    joined[i - 1] = keep(before, (place) => place < over.left);
    joined[i] = keep(after, (place) => place >= over.right);
  }
  return joined;
}

/** Where speech was cut, seconds; undefined where the windows have nothing in common. */
function cutBetween(left: Window, right: Window): number | undefined {
  const [end, start] = [left.spans.at(-1)?.end ?? 0, right.spans[0]?.start ?? 0];
  return start < end && right.own ? right.own.start / SAMPLE_RATE : undefined;
}

/** How many words of the left window stand, and with which of the right one the text goes on. */
function takeOver(left: readonly Word[], right: readonly Word[], cut: number): { left: number; right: number } {
  let best: { left: number; right: number; price: number } | undefined;
  for (const [i, a] of left.entries()) {
    for (const [j, b] of right.entries()) {
      const price =
        priceOf(a, b) - (alike(left[i - 1], right[j - 1]) || alike(left[i + 1], right[j + 1]) ? COMPANY : 0);
      const total = price + Math.abs((middle(a) + middle(b)) / 2 - cut);
      if (total < (best?.price ?? Number.POSITIVE_INFINITY)) best = { left: i + 1, right: j + 1, price: total };
    }
  }
  return best ?? atTheCut(left, right, cut);
}

/** A word that follows or precedes another common one is worth going half a second farther from the cut. */
const COMPANY = 0.5;
/** Words that only take the same time come after all that are the same. */
const DIFFERENT = 10;

/** Infinite where they cannot be one spoken word. */
function priceOf(a: Word, b: Word): number {
  if (alike(a, b)) return 0;
  return isAtOnce(a, b) ? DIFFERENT : Number.POSITIVE_INFINITY;
}

function alike(a: Word | undefined, b: Word | undefined): boolean {
  return a !== undefined && b !== undefined && letters(a) === letters(b) && Math.abs(middle(a) - middle(b)) <= SAME;
}

/** Nothing in common: each side has its own part, and what the other has where one has nothing. */
function atTheCut(left: readonly Word[], right: readonly Word[], cut: number): { left: number; right: number } {
  let until = left.findLastIndex((word) => middle(word) < cut) + 1;
  let from = right.findIndex((word) => middle(word) >= cut);
  if (from < 0) from = right.length;
  while (from > 0 && (right[from - 1] as Word).start >= endOf(left[until - 1])) from--;
  while (until < left.length && endOf(left[until]) <= (right[from]?.start ?? Number.POSITIVE_INFINITY)) until++;
  return { left: until, right: from };
}

/** True when two words share more than half of the longer one's time. */
function isAtOnce(a: Word, b: Word): boolean {
  const shared = Math.min(endOf(a), endOf(b)) - Math.max(a.start, b.start);
  return shared > Math.max(endOf(a) - a.start, endOf(b) - b.start) / 2;
}

/** Where a word usually ends at the latest: the last one before a hole was given the hole's time. */
function endOf(word: Word | undefined): number {
  return word ? Math.min(word.end, word.start + longestWord(word.text) / 2) : Number.NEGATIVE_INFINITY;
}

function wordsOf({ segments }: WindowResult): Word[] {
  return segments.flatMap(({ words }) => words);
}

/** The result with the words whose places, counted over its segments, are wanted. */
function keep(result: WindowResult, isWanted: (place: number) => boolean): WindowResult {
  let place = 0;
  const segments = result.segments.flatMap((segment): Segment[] => {
    const words = segment.words.filter(() => isWanted(place++));
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return [];
    if (words.length === segment.words.length) return [segment];
    const text = words.map((word) => word.text).join(wordSeparator(segment.language ?? result.language));
    return [{ ...segment, text, start: first.start, end: last.end, words }];
  });
  return { ...result, segments };
}

const middle = (word: Word) => (word.start + endOf(word)) / 2;
const letters = ({ text }: Word) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
