/**
 * Cuts `length` tokens into as few windows of at most `most` as there must be, as even as can be: a last window of a
 * word or two would have a vector that says little. Answers [start, end) of each; one empty window for no tokens.
 */
export function windows(length: number, most: number): [number, number][] {
  const count = Math.max(1, Math.ceil(length / most));
  return Array.from({ length: count }, (_, i) => [
    Math.floor((i * length) / count),
    Math.floor(((i + 1) * length) / count),
  ]);
}
