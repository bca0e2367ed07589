/**
 * How the elements of one `input` are asked of the upstream: in requests of a bounded size, so that one client's 16 MB
 * are neither refused by a server's limit on a body nor keep a GPU from everybody else. Servers that limit the count
 * take 32 (text-embeddings-inference).
 */
const MAX_COUNT = 32;
const MAX_BYTES = 256 * 1024;

/** Special tokens that a server puts around a text. */
const TOKENS_AROUND = 8;

/** Consecutive elements of `input`. */
export interface Batch {
  inputs: string[];
  /** UTF-8 bytes of each. */
  bytes: number[];
  /**
   * Its only element may be over the window: no text has more tokens than bytes, but one with more bytes than the window
   * has tokens may have. It is asked alone, so that the upstream's usage says how many it has.
   */
  mayExceed: boolean;
}

/** In order: the batches' inputs one after the other are `inputs`. `window` is in tokens. */
export function batches(inputs: readonly string[], window: number): Batch[] {
  const made: Batch[] = [];
  let open: Batch | undefined;
  let size = 0;
  for (const input of inputs) {
    const bytes = Buffer.byteLength(input);
    const mayExceed = mostTokens(bytes) > window;
    const fits = open && !mayExceed && open.inputs.length < MAX_COUNT && size + bytes <= MAX_BYTES;
    if (!open || !fits) {
      open = { inputs: [], bytes: [], mayExceed };
      made.push(open);
      size = 0;
    }
    open.inputs.push(input);
    open.bytes.push(bytes);
    size += bytes;
    if (mayExceed) open = undefined;
  }
  return made;
}

/** Upper bound of the tokens of all elements, for the hold. */
export function promptBound(all: readonly Batch[], window: number): number {
  return all.flatMap(({ bytes }) => bytes).reduce((sum, size) => sum + Math.min(mostTokens(size), window), 0);
}

const mostTokens = (bytes: number) => bytes + TOKENS_AROUND;
