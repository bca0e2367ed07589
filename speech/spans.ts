import type { Span, Window } from "./types.ts";

/** Samples that spans hold together. */
export function spokenSamples(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + (end - start), 0);
}

/** The spans of a window without what its neighbours hear too. */
export function ownSpans({ spans, own }: Pick<Window, "spans" | "own">): Span[] {
  if (!own) return [...spans];
  return spans
    .map(({ start, end }) => ({ start: Math.max(start, own.start), end: Math.min(end, own.end) }))
    .filter(({ start, end }) => start < end);
}
