import { SAMPLE_RATE, type Span } from "../types.ts";
import { packedEnd, packedSpans } from "./packed-time.ts";
import { voicedRuns } from "./voiced.ts";
import type { SpokenWord } from "./word-times.ts";

/** A word accounts for what is heard this near to it, seconds; a longer voice without one is left out. */
const NEAR = 0.5;
const LEFT_OUT = 0.5;
/** No word lasts longer than this and so much a character: the rest of its time is somebody else's. */
const LONGEST_WORD = 0.6;
const A_CHARACTER = 0.12;
/** Digits are whole words: `28013` takes two seconds. */
const A_DIGIT = 0.5;
/** A phrase up to this long is heard again whole; of a longer one only what was left out, and this much around it. */
const PHRASE = 6;
const AROUND = 0.4;

/**
 * Speech of a packed window that has no words: more than half a second of voice, farther than half a second from every
 * word. The whole span it is in where that is a phrase, else the part of it. `audio` is the packed window, words lie in
 * the recording. Ascending.
 */
export function uncoveredSpans(words: readonly SpokenWord[], spans: readonly Span[], audio: Float32Array): Span[] {
  const covered = words.map(({ raw, start, end }) => ({
    start: start - NEAR * SAMPLE_RATE,
    end: Math.min(end, start + longestWord(raw) * SAMPLE_RATE) + NEAR * SAMPLE_RATE,
  }));
  return packedSpans(spans).flatMap((packed) => {
    const { start, end } = packed;
    const shift = start - packed.packed;
    const voice = voicedRuns(audio, packed.packed, packedEnd(packed)).map((run) => ({
      start: run.start + shift,
      end: run.end + shift,
    }));
    const bare = holes({ start, end }, covered).filter((hole) => isVoiced(hole, voice));
    if (bare.length === 0) return [];
    return end - start <= PHRASE * SAMPLE_RATE ? [{ start, end }] : bare.map((hole) => widened(hole, { start, end }));
  });
}

/** Seconds that a written word takes at the most: a short one before a hole is given the hole's time. */
export function longestWord(text: string): number {
  const bare = text.trim();
  const digits = (bare.match(/\p{N}/gu) ?? []).length;
  return LONGEST_WORD + Array.from(bare).length * A_CHARACTER + digits * A_DIGIT;
}

/** What is left of a span outside of all of `covered`, which ascends. */
function holes(span: Span, covered: readonly Span[]): Span[] {
  const found: Span[] = [];
  let from = span.start;
  for (const { start, end } of covered) {
    if (end <= from) continue;
    if (start >= span.end) break;
    if (start > from) found.push({ start: from, end: start });
    from = end;
  }
  if (from < span.end) found.push({ start: from, end: span.end });
  return found;
}

/** True for enough voice in one piece, or for twice as much in several: closures part the voice of every phrase. */
function isVoiced(hole: Span, voice: readonly Span[]): boolean {
  const inside = voice.map((run) => Math.max(0, Math.min(run.end, hole.end) - Math.max(run.start, hole.start)));
  const all = inside.reduce((sum, samples) => sum + samples, 0);
  return Math.max(...inside) > LEFT_OUT * SAMPLE_RATE || all > 2 * LEFT_OUT * SAMPLE_RATE;
}

function widened({ start, end }: Span, within: Span): Span {
  const around = AROUND * SAMPLE_RATE;
  return {
    start: Math.max(within.start, Math.round(start - around)),
    end: Math.min(within.end, Math.round(end + around)),
  };
}
