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

/**
 * Spans of a packed window that hold voice without words: more than half a second of it, farther than half a second
 * from every word. `audio` is the packed window, words lie in the recording.
 */
export function uncoveredSpans(words: readonly SpokenWord[], spans: readonly Span[], audio: Float32Array): Span[] {
  const covered = words.map(({ raw, start, end }) => ({
    start: start - NEAR * SAMPLE_RATE,
    end: Math.min(end, start + longest(raw) * SAMPLE_RATE) + NEAR * SAMPLE_RATE,
  }));
  return packedSpans(spans)
    .filter((span) => {
      const voice = voicedRuns(audio, span.packed, packedEnd(span));
      const shift = span.start - span.packed;
      return voice.some((run) => bare({ start: run.start + shift, end: run.end + shift }, covered) > LEFT_OUT);
    })
    .map(({ start, end }) => ({ start, end }));
}

function longest(raw: string): number {
  const text = raw.trim();
  return LONGEST_WORD + Array.from(text).length * A_CHARACTER + (text.match(/\p{N}/gu) ?? []).length * A_DIGIT;
}

/** Seconds of the longest part of `run` outside of all of `covered`, which ascends. */
function bare(run: Span, covered: readonly Span[]): number {
  let most = 0;
  let from = run.start;
  for (const { start, end } of covered) {
    if (end <= from) continue;
    if (start >= run.end) break;
    most = Math.max(most, start - from);
    from = end;
  }
  return Math.max(most, run.end - from) / SAMPLE_RATE;
}
