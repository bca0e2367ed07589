import { packedSpans } from "../alignment/packed-time.ts";
import { voicedRuns } from "../alignment/voiced.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";

/** A stretch of the recording with one embedding, and the samples of the packed audio that it is made of. */
export interface VoiceWindow extends Span {
  heard: Span;
}

/** A silence this long may be where somebody else begins, so no window spans it. */
const PAUSE = 0.15 * SAMPLE_RATE;
/** Where it can be, a window is no longer than this: the encoder's features are pooled over 2 s at a time. */
const LONGEST = 2 * SAMPLE_RATE;
/**
 * The middle of a window says whose voice it is: on development voices no more is told by all of it, and embeddings cost
 * by the second.
 */
const HEARD = 1.2 * SAMPLE_RATE;
/** Less than this says little about a voice; a shorter phrase is heard with the silence around it. */
const SHORTEST = 0.5 * SAMPLE_RATE;
/** A burst shorter than this is no word. */
const CLICK = 0.08 * SAMPLE_RATE;

/**
 * Cuts the speech of a packed window (spans of the recording, laid end to end in `audio`) into the stretches whose
 * voice is looked at: phrases between pauses, long ones in equal parts of 1 to 2 s. Depends on spans and samples only.
 */
export function voiceWindows(spans: readonly Span[], audio: Float32Array): VoiceWindow[] {
  return packedSpans(spans).flatMap(({ start, end, packed }) => {
    const toRecording = start - packed;
    const edges = { from: packed, to: packed + (end - start) };
    return phrases(audio, edges.from, edges.to)
      .map((phrase) => lengthen(phrase, edges))
      .flatMap(divide)
      .map((part) => ({ start: part.start + toRecording, end: part.end + toRecording, heard: middle(part) }));
  });
}

function phrases(audio: Float32Array, from: number, to: number): Span[] {
  const found: Span[] = [];
  for (const run of voicedRuns(audio, from, to)) {
    const last = found.at(-1);
    if (last && run.start - last.end < PAUSE) last.end = run.end;
    else found.push({ ...run });
  }
  const spoken = found.filter(({ start, end }) => end - start >= CLICK);
  return spoken.length > 0 ? spoken : found;
}

/** To SHORTEST, evenly on both sides as far as the span has room. */
function lengthen({ start, end }: Span, { from, to }: { from: number; to: number }): Span {
  const missing = SHORTEST - (end - start);
  if (missing <= 0) return { start, end };
  const first = Math.max(from, Math.min(start - Math.ceil(missing / 2), to - SHORTEST));
  return { start: first, end: Math.min(to, first + SHORTEST) };
}

function divide({ start, end }: Span): Span[] {
  const parts = Math.ceil((end - start) / LONGEST);
  const border = (part: number) => start + Math.round(((end - start) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ start: border(part), end: border(part + 1) }));
}

function middle({ start, end }: Span): Span {
  const first = start + Math.max(0, Math.floor((end - start - HEARD) / 2));
  return { start: first, end: Math.min(end, first + HEARD) };
}
