import type { Span, Window } from "./types.ts";

/**
 * The exact map between a window's packed audio (its spans end to end) and the recording. Positions may be
 * fractional; both functions are piecewise linear with slope 1 and clamp to the window.
 */

/** Samples that a window's encoder hears, padding to 30 s not counted. */
export function packedLength(window: Window): number {
  return window.spans.reduce((sum, span) => sum + span.end - span.start, 0);
}

/**
 * Where in the recording `packed` is. A border between two spans is two places at once: a beginning belongs to the
 * span behind it, an end to the one before.
 */
export function toOriginal(window: Window, packed: number, edge: "start" | "end" = "start"): number {
  let before = 0;
  let last: Span | undefined;
  for (const span of window.spans) {
    const within = packed - before;
    const length = span.end - span.start;
    if (within < length || (edge === "end" && within === length)) return span.start + Math.max(0, within);
    before += length;
    last = span;
  }
  return last?.end ?? 0;
}

/** Where in the window's packed audio `original` is. A place between two spans is the border between them. */
export function toPacked(window: Window, original: number): number {
  let before = 0;
  for (const span of window.spans) {
    if (original < span.start) return before;
    if (original < span.end) return before + original - span.start;
    before += span.end - span.start;
  }
  return before;
}
