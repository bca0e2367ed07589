import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";

/** A stretch is worth a run of the encoder, and long enough to be sure of, from here on. */
const SHORTEST = 3 * SAMPLE_RATE;
/** Where speech has no pauses at all, it is looked at this much at a time. */
const LONGEST = 8 * SAMPLE_RATE;

/**
 * A window's spans in stretches that are short enough to hold one language: cut at its pauses, each at least 3 s where
 * the window has as much, and speech without a pause every 8 s at most. Together they are the window.
 */
export function stretchesOf(spans: readonly Span[]): Span[][] {
  const stretches: Span[][] = [];
  for (const piece of spans.flatMap(cut)) {
    const last = stretches.at(-1);
    if (last && spokenSamples(last) < SHORTEST) last.push(piece);
    else stretches.push([piece]);
  }
  const last = stretches.at(-1);
  const before = stretches.at(-2);
  if (last && before && spokenSamples(last) < SHORTEST) {
    before.push(...last);
    stretches.pop();
  }
  return stretches.map(joined);
}

function cut({ start, end }: Span): Span[] {
  const count = Math.ceil((end - start) / LONGEST);
  const at = (i: number) => start + Math.round(((end - start) * i) / count);
  return Array.from({ length: count }, (_, i) => ({ start: at(i), end: at(i + 1) }));
}

/** Spans that touch are one. */
export function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans) {
    const last = whole.at(-1);
    if (last?.end === span.start) last.end = span.end;
    else whole.push({ ...span });
  }
  return whole;
}
