import type { Span } from "../types.ts";
import type { TokenWord } from "../whisper/words.ts";
import { PATH_FRAME, type TokenPath } from "./attention-path.ts";
import { type PackedSpan, packedEnd, packedSpans } from "./packed-time.ts";
import { voicedRuns } from "./voiced.ts";

/** A word where it was spoken: samples of the recording. */
export interface SpokenWord extends Span {
  raw: string;
}

/**
 * The decoder looks ahead: its attention moves to a token's sound this long before the sound begins. Measured on
 * synthesised speech whose times are known (docs/decisions/word-times.md).
 */
const LOOK_AHEAD = 800;
/** No word is shorter, so that start < end survives rounding to milliseconds. */
const SHORTEST = 320;

/**
 * Places the words of a text in the recording. The path says where in the packed window each token was heard; a word
 * goes to the phrase whose voice it overlaps most, because nobody speaks across a pause. Inside the phrase the path
 * is kept where it is plausible; where it is not (digit strings: many tokens look at one place), the words share the
 * span's voice by their length. Borders then move to a gap in the voice nearby. Words ascend, do not overlap, and none
 * is empty. `audio` is the packed window.
 */
export function placeWords(
  words: readonly TokenWord[],
  path: TokenPath,
  spans: readonly Span[],
  audio: Float32Array,
): SpokenWord[] {
  const packed = packedSpans(spans);
  const total = packed.at(-1);
  if (!total || words.length === 0) return [];
  const end = packedEnd(total);
  const at = (token: number) =>
    Math.min(
      end,
      token < path.starts.length ? (path.starts[token] as number) * PATH_FRAME + (token > 0 ? LOOK_AHEAD : 0) : end,
    );
  const heard = words.map(({ raw, from, to }) => ({ raw, start: at(from), end: at(to) }));
  const phrases = packed.map((span) => ({ span, runs: voicedRuns(audio, span.packed, packedEnd(span)) }));
  return groupByPhrase(heard, phrases).flatMap(({ span, runs, words: group }) => {
    const borders = isPlausible(group) ? followPath(group, span) : shareVoice(group, runs);
    return settle(group, borders, isDigits(group) ? DIGIT_REACH : REACH, runs, span);
  });
}

/** A speech span and where in it there is voice. */
interface Phrase {
  span: PackedSpan;
  runs: readonly Span[];
}

/**
 * Consecutive words with the phrase whose voice each overlaps most; phrases ascend with the words. Silence does not
 * count: for the first word of a phrase the decoder begins to look in the pause before it.
 */
function groupByPhrase(words: readonly SpokenWord[], phrases: readonly Phrase[]) {
  const groups: (Phrase & { words: SpokenWord[] })[] = [];
  let current = 0;
  for (const word of words) {
    let best = current;
    let most = Number.NEGATIVE_INFINITY;
    for (let index = current; index < phrases.length; index++) {
      const phrase = phrases[index] as Phrase;
      const overlap = voiceOf(word, phrase);
      if (overlap > most) {
        most = overlap;
        best = index;
      }
      if (phrase.span.packed >= word.end) break;
    }
    const phrase = phrases[best] as Phrase;
    if (groups.at(-1)?.span !== phrase.span) groups.push({ ...phrase, words: [] });
    groups.at(-1)?.words.push(word);
    current = best;
  }
  return groups;
}

/** Samples of a phrase's voice that a word has; of a word without any, less than 0 by its distance from the phrase. */
function voiceOf(word: Span, { span, runs }: Phrase): number {
  const shared = ({ start, end }: Span) => Math.min(word.end, end) - Math.max(word.start, start);
  const voice = runs.reduce((sum, run) => sum + Math.max(0, shared(run)), 0);
  return voice > 0 ? voice : Math.min(0, shared({ start: span.packed, end: packedEnd(span) })) - 1;
}

/** False when a third of the words or more have next to no length: the path jumped instead of following the speech. */
function isPlausible(words: readonly SpokenWord[]): boolean {
  const empty = words.filter(({ start, end }) => end - start < 2 * PATH_FRAME).length;
  return empty * 3 < words.length;
}

function isDigits(words: readonly SpokenWord[]): boolean {
  return words.filter(({ raw }) => /\p{N}/u.test(raw)).length * 2 > words.length;
}

/** Word borders, one more than words, in packed samples. */
function followPath(words: readonly SpokenWord[], span: PackedSpan): number[] {
  const borders = words.map(({ start }) => start);
  borders.push(words.at(-1)?.end ?? span.packed);
  return borders.map((border) => Math.min(packedEnd(span), Math.max(span.packed, border)));
}

/** Borders that give each word a share of the voiced time by its length in characters. */
function shareVoice(words: readonly SpokenWord[], runs: readonly Span[]): number[] {
  const weights = words.map(({ raw }) => raw.trim().length + 1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const voiced = runs.reduce((total, { start, end }) => total + end - start, 0);
  let shared = 0;
  return [0, ...weights].map((weight) => {
    shared += weight;
    return voicedPosition(runs, (voiced * shared) / sum);
  });
}

function voicedPosition(runs: readonly Span[], voiced: number): number {
  let left = voiced;
  for (const { start, end } of runs) {
    if (left <= end - start) return Math.round(start + left);
    left -= end - start;
  }
  return (runs.at(-1) as Span).end;
}

/**
 * How far a border moves to a gap in the voice: 150 ms, and 500 ms in digit strings, where attention runs up to a
 * whole digit early and people pause between the digits.
 */
const REACH = 2_400;
const DIGIT_REACH = 8_000;

/** Turns borders into words of the recording: snapped to gaps, ascending, none empty. */
function settle(
  words: readonly SpokenWord[],
  borders: readonly number[],
  reach: number,
  runs: readonly Span[],
  span: PackedSpan,
): SpokenWord[] {
  const [first, last] = [(runs[0] as Span).start, (runs.at(-1) as Span).end];
  const inner = borders.slice(1, -1);
  const gaps = runs.slice(1).map(({ start }, index) => ({ start: (runs[index] as Span).end, end: start }));
  const edges = [
    { start: snapStart(borders[0] as number, first), end: 0 },
    ...matchGaps(inner, gaps, reach),
    { start: 0, end: snapEnd(borders.at(-1) as number, last) },
  ];
  return spread(
    words.map(({ raw }, index) => ({
      raw,
      start: span.start + (edges[index] as Span).start - span.packed,
      end: span.start + (edges[index + 1] as Span).end - span.packed,
    })),
    span,
  );
}

function snapStart(border: number, voice: number): number {
  return border < voice + REACH ? voice : border;
}

function snapEnd(border: number, voice: number): number {
  return border > voice - REACH ? voice : border;
}

/** A stop consonant closes the mouth for no longer: 100 ms. */
const CLOSURE = 1_600;

/** What it costs to have a gap inside a word: the longer it is, the further the border that comes to it may be. */
function insideWord({ start, end }: Span): number {
  return 2 * Math.max(0, end - start - CLOSURE);
}

/**
 * Gives borders to gaps, each gap to one border at the most and in order, so that the borders move as little as
 * possible altogether (the alignment of edit distance, where leaving a border alone costs `reach`, and a gap
 * `insideWord`).
 */
function matchGaps(borders: readonly number[], gaps: readonly Span[], reach: number): Span[] {
  const width = gaps.length + 1;
  const cost = new Float64Array((borders.length + 1) * width);
  for (const [j, gap] of gaps.entries()) cost[j + 1] = (cost[j] as number) + insideWord(gap);
  const distance = (border: number, gap: Span) => Math.max(0, gap.start - border, border - gap.end);
  for (const [i, border] of borders.entries()) {
    cost[(i + 1) * width] = (cost[i * width] as number) + reach;
    for (const [j, gap] of gaps.entries()) {
      cost[(i + 1) * width + j + 1] = Math.min(
        (cost[i * width + j] as number) + distance(border, gap),
        (cost[i * width + j + 1] as number) + reach,
        (cost[(i + 1) * width + j] as number) + insideWord(gap),
      );
    }
  }
  const edges = borders.map((border) => ({ start: border, end: border }));
  let i = borders.length;
  let j = gaps.length;
  while (i > 0 && j > 0) {
    const here = cost[i * width + j] as number;
    const gap = gaps[j - 1] as Span;
    if (here === (cost[i * width + j - 1] as number) + insideWord(gap)) j--;
    else if (here === (cost[(i - 1) * width + j] as number) + reach) i--;
    else {
      edges[i - 1] = { start: gap.end, end: gap.start };
      i--;
      j--;
    }
  }
  return edges;
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
