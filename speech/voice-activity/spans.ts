import type { Span } from "../types.ts";
import { FRAME } from "./frames.ts";

/**
 * Hysteresis over Silero's probabilities, as its authors' `get_speech_timestamps` does it: speech begins at 0.5 and
 * lasts until it has been below 0.35 for a while. What is dropped here is lost to everyone, so short bursts stay.
 */
const BEGIN = 0.5;
const CONTINUE = 0.35;
/** 160 ms: the pause that ends a phrase. Shorter ones are the closure of a plosive. */
const SILENT_FRAMES = 5;
/** 64 ms: a shorter burst is a click. */
const SPOKEN_FRAMES = 2;

/**
 * Speech of a recording of `samples` samples, without padding: ascending spans on frame borders (the last one may end
 * with the recording), at least 160 ms apart.
 */
export function speechSpans(probabilities: Float32Array, samples: number): Span[] {
  const spans: Span[] = [];
  let begin = -1;
  let silentFrom = -1;
  const close = (end: number) => {
    if (end - begin >= SPOKEN_FRAMES) spans.push({ start: begin * FRAME, end: Math.min(end * FRAME, samples) });
    begin = -1;
    silentFrom = -1;
  };
  for (let frame = 0; frame < probabilities.length; frame++) {
    const probability = probabilities[frame] as number;
    if (probability >= BEGIN) {
      if (begin < 0) begin = frame;
      silentFrom = -1;
    } else if (begin >= 0 && probability < CONTINUE) {
      if (silentFrom < 0) silentFrom = frame;
      if (frame + 1 - silentFrom >= SILENT_FRAMES) close(silentFrom);
    }
  }
  if (begin >= 0) close(silentFrom < 0 ? probabilities.length : silentFrom);
  return spans;
}
