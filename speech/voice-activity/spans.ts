import { SAMPLE_RATE, type Span } from "../types.ts";
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
 * Silero is not sure of white noise but rises to 0.74 in it, which the recogniser would make words of. Phrases of people
 * peak above 0.8, at 40 dB less and in noise as loud as they are too (measured on recorded prompts in five languages);
 * the few that do not, an "mm" or a breath, stand near one that does.
 */
const SURE = 0.75;
/** 3 s: how near a sure phrase must be for an unsure one to count. */
const NEAR = 3 * SAMPLE_RATE;

/**
 * Speech of a recording of `samples` samples, without padding: ascending spans on frame borders (the last one may end
 * with the recording), at least 160 ms apart. Bursts that Silero is never sure of count only near speech that it is.
 */
export function speechSpans(probabilities: Float32Array, samples: number): Span[] {
  const spans: Span[] = [];
  const sure: Span[] = [];
  let peak = 0;
  let begin = -1;
  let silentFrom = -1;
  const close = (end: number) => {
    const span = { start: begin * FRAME, end: Math.min(end * FRAME, samples) };
    if (end - begin >= SPOKEN_FRAMES) spans.push(span);
    if (end - begin >= SPOKEN_FRAMES && peak >= SURE) sure.push(span);
    begin = -1;
    silentFrom = -1;
    peak = 0;
  };
  for (let frame = 0; frame < probabilities.length; frame++) {
    const probability = probabilities[frame] as number;
    if (probability >= BEGIN) {
      if (begin < 0) begin = frame;
      peak = Math.max(peak, probability);
      silentFrom = -1;
    } else if (begin >= 0 && probability < CONTINUE) {
      if (silentFrom < 0) silentFrom = frame;
      if (frame + 1 - silentFrom >= SILENT_FRAMES) close(silentFrom);
    }
  }
  if (begin >= 0) close(silentFrom < 0 ? probabilities.length : silentFrom);
  return near(spans, sure);
}

/** Spans that are sure, or within NEAR of one that is. Both ascend. */
function near(spans: Span[], sure: readonly Span[]): Span[] {
  let next = 0;
  return spans.filter((span) => {
    while (next < sure.length && (sure[next] as Span).end < span.start) next++;
    const [before, after] = [sure[next - 1], sure[next]];
    return (
      (before !== undefined && span.start - before.end <= NEAR) ||
      (after !== undefined && after.start - span.end <= NEAR)
    );
  });
}
