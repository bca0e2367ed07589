import type { Span } from "../types.ts";

/** A span of the recording and where it lies in the packed window, both in samples. */
export interface PackedSpan extends Span {
  /** First packed sample. */
  packed: number;
}

/** The exact map from what a window hears to the recording: spans end to end, without gaps. */
export function packedSpans(spans: readonly Span[]): PackedSpan[] {
  let packed = 0;
  return spans.map(({ start, end }) => {
    const span = { start, end, packed };
    packed += end - start;
    return span;
  });
}

export function packedEnd({ packed, start, end }: PackedSpan): number {
  return packed + (end - start);
}

/** The part [from, to) of a packed window, as spans of the recording. */
export function cutPacked(spans: readonly Span[], from: number, to: number): Span[] {
  return packedSpans(spans).flatMap((span) => {
    const first = Math.max(from, span.packed);
    const last = Math.min(to, packedEnd(span));
    return first < last ? [{ start: span.start + first - span.packed, end: span.start + last - span.packed }] : [];
  });
}
