import type { Span } from "./types.ts";

/** Samples that spans hold together. */
export function spokenSamples(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + (end - start), 0);
}
