import { packedSpans } from "../alignment/packed-time.ts";
import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";

/**
 * Where to cut a packed window in two, in packed samples: at the longest silence that was removed between its spans,
 * not too near either end. With no such place, in the middle of the quietest fifth of a second of the middle half.
 */
export function longestPause(spans: readonly Span[], audio: Float32Array): number {
  const packed = packedSpans(spans);
  const total = spokenSamples(spans);
  let cut = -1;
  let longest = 0;
  for (const [index, span] of packed.entries()) {
    const before = packed[index - 1];
    if (!before || span.packed < total * EDGE || span.packed > total * (1 - EDGE)) continue;
    if (span.start - before.end <= longest) continue;
    longest = span.start - before.end;
    cut = span.packed;
  }
  return cut < 0 ? quietest(audio, Math.floor(total / 4), Math.floor((3 * total) / 4)) : cut;
}

/** Share of the window that each half keeps at the least. */
const EDGE = 0.2;

function quietest(audio: Float32Array, from: number, to: number): number {
  const width = SAMPLE_RATE / 5;
  const hop = width / 10;
  let best = Math.floor((from + to) / 2);
  let least = Number.POSITIVE_INFINITY;
  for (let start = from; start + width <= to; start += hop) {
    let energy = 0;
    for (let i = start; i < start + width; i++) energy += (audio[i] as number) ** 2;
    if (energy >= least) continue;
    least = energy;
    best = start + width / 2;
  }
  return best;
}
