import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";

/** A stretch is worth a run of the encoder, and long enough to be sure of, from here on. */
const SHORTEST = 3 * SAMPLE_RATE;
/** Where speech has no pauses at all, it is looked at this much at a time. */
const LONGEST = 8 * SAMPLE_RATE;

/**
 * A window's spans in stretches that are short enough to hold one language: cut at its long pauses, each at least 3 s
 * where the window has as much. What goes on for more than 8 s with short pauses only is cut at those, and without any
 * pause every 8 s at most. Together they are the window.
 */
export function stretchesOf(spans: readonly Span[]): Span[][] {
  return grouped(joined(spans).flatMap((whole) => cut(whole, spans))).map(joined);
}

/** Pieces as they come, each stretch going on until it is long enough; the last one's rest goes to the one before. */
function grouped(pieces: readonly Span[]): Span[][] {
  const stretches: Span[][] = [];
  for (const piece of pieces) {
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
  return stretches;
}

/** `whole` is phrases that touch, because the padding has filled the pauses between them. */
function cut(whole: Span, phrases: readonly Span[]): Span[] {
  if (whole.end - whole.start <= LONGEST) return [whole];
  const inside = phrases.filter(({ start, end }) => start >= whole.start && end <= whole.end);
  return grouped(inside).flatMap(joined).flatMap(inParts);
}

function inParts({ start, end }: Span): Span[] {
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
