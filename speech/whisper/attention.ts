import { FRAMES } from "./model.ts";

/**
 * Cross attention of the alignment heads while a text was decoded: row k is what the decoder looked at when it chose
 * token k of the text, the last row when it chose to end. Only the frames that hold audio are kept.
 */
export class Attention {
  readonly heads: number;
  #frames: number;
  #rows = 0;
  #data: Float32Array;

  constructor(heads: number, frames: number) {
    this.heads = heads;
    this.#frames = frames;
    this.#data = new Float32Array(heads * frames * 64);
  }

  /** Empties it for another text; the memory (5 MB for a full window) stays. */
  clear(frames: number): void {
    this.#frames = frames;
    this.#rows = 0;
  }

  get frames(): number {
    return this.#frames;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes position `at` of `n` of decoder row `row` out of a step's [rows, heads, n, FRAMES]. */
  push(step: Float32Array, row: number, at: number, n: number): void {
    const needed = (this.#rows + 1) * this.heads * this.frames;
    if (needed > this.#data.length) {
      const grown = new Float32Array(Math.max(needed, this.#data.length * 2));
      grown.set(this.#data);
      this.#data = grown;
    }
    for (let head = 0; head < this.heads; head++) {
      const from = ((row * this.heads + head) * n + at) * FRAMES;
      const to = (this.#rows * this.heads + head) * this.frames;
      this.#data.set(step.subarray(from, from + this.frames), to);
    }
    this.#rows++;
  }

  /** One head's look at one token; `frames` numbers. */
  of(row: number, head: number): Float32Array {
    const from = (row * this.heads + head) * this.frames;
    return this.#data.subarray(from, from + this.frames);
  }
}
