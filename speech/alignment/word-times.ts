import type { Span } from "../types.ts";
import type { TokenWord } from "../whisper/words.ts";
import type { TokenPath } from "./attention-path.ts";
import { type PackedSpan, packedEnd, packedSpans } from "./packed-time.ts";

/** A word where it was spoken: samples of the recording. */
export interface SpokenWord extends Span {
  raw: string;
}

/** Samples of one attention frame (20 ms at 16 kHz). */
const FRAME = 320;
/** No word is shorter, so that start < end survives rounding to milliseconds. */
const SHORTEST = 320;

/**
 * Places the words of a text in the recording. The path says where in the packed window each token was heard; a word
 * goes to the speech span it overlaps most, because nobody speaks across a removed silence; inside the span the path
 * is kept where it is plausible, and where it is not (digit strings: many tokens look at one place), the words share
 * the span by their length. Words ascend, do not overlap, and none is empty.
 */
export function placeWords(words: readonly TokenWord[], path: TokenPath, spans: readonly Span[]): SpokenWord[] {
  const packed = packedSpans(spans);
  const total = packed.at(-1);
  if (!total || words.length === 0) return [];
  const end = packedEnd(total);
  const at = (token: number) =>
    Math.min(end, token < path.starts.length ? (path.starts[token] as number) * FRAME : end);
  const heard = words.map(({ raw, from, to }) => ({ raw, start: at(from), end: at(to) }));
  const placed: SpokenWord[] = [];
  for (const { span, words: group } of groupBySpan(heard, packed)) {
    const inside = group.map((word) => ({
      raw: word.raw,
      start: span.start + clamp(word.start, span.packed, packedEnd(span)) - span.packed,
      end: span.start + clamp(word.end, span.packed, packedEnd(span)) - span.packed,
    }));
    placed.push(...spread(isPlausible(inside) ? inside : shareByLength(inside, span), span));
  }
  return placed;
}

/** Consecutive words with the span that each overlaps most; spans ascend with the words. */
function groupBySpan(words: readonly SpokenWord[], spans: readonly PackedSpan[]) {
  const groups: { span: PackedSpan; words: SpokenWord[] }[] = [];
  let current = 0;
  for (const word of words) {
    let best = current;
    let most = -1;
    for (let index = current; index < spans.length; index++) {
      const span = spans[index] as PackedSpan;
      const overlap = Math.min(word.end, packedEnd(span)) - Math.max(word.start, span.packed);
      if (overlap > most) {
        most = overlap;
        best = index;
      }
      if (span.packed >= word.end) break;
    }
    const span = spans[best] as PackedSpan;
    if (groups.at(-1)?.span !== span) groups.push({ span, words: [] });
    groups.at(-1)?.words.push(word);
    current = best;
  }
  return groups;
}

/** Half of the words or more with next to no length: the path jumped instead of following the speech. */
function isPlausible(words: readonly SpokenWord[]): boolean {
  const empty = words.filter(({ start, end }) => end - start < 2 * FRAME).length;
  return empty * 3 < words.length;
}

function shareByLength(words: readonly SpokenWord[], span: Span): SpokenWord[] {
  const weights = words.map(({ raw }) => raw.trim().length + 1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let heard = 0;
  return words.map(({ raw }, index) => {
    const start = span.start + Math.round(((span.end - span.start) * heard) / sum);
    heard += weights[index] as number;
    return { raw, start, end: span.start + Math.round(((span.end - span.start) * heard) / sum) };
  });
}

/** Gives every word at least SHORTEST inside its span (less when the span is too short for that), in order. */
function spread(words: readonly SpokenWord[], span: Span): SpokenWord[] {
  const shortest = Math.max(16, Math.min(SHORTEST, Math.floor((span.end - span.start) / words.length)));
  const starts = words.map(({ start }) => start);
  let earliest = span.start;
  for (const [index, start] of starts.entries()) {
    starts[index] = Math.max(start, earliest);
    earliest = (starts[index] as number) + shortest;
  }
  let latest = span.end;
  for (let index = starts.length - 1; index >= 0; index--) {
    starts[index] = Math.min(starts[index] as number, latest - shortest);
    latest = starts[index] as number;
  }
  return words.map(({ raw, end }, index) => {
    const start = starts[index] as number;
    const next = starts[index + 1] ?? span.end;
    return { raw, start, end: Math.min(next, Math.max(end, start + shortest)) };
  });
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
