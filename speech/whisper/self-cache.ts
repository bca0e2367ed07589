import { Tensor } from "onnxruntime-node";
import type { DecoderShape } from "./model.ts";

/**
 * The decoder's own keys and values. Two buffers a name take turns: a step reads the past from one and writes past and
 * present into the other, so memory stays what it was at the first step, however long the text gets.
 * Layout is the graph's, [rows, heads, length, headDim] without padding.
 */
export class SelfCache {
  readonly #shape: DecoderShape;
  readonly #names: string[];
  #past: Map<string, Float32Array>;
  #present: Map<string, Float32Array>;
  #length = 0;

  constructor(shape: DecoderShape, capacity: number) {
    this.#shape = shape;
    this.#names = Array.from({ length: shape.layers }, (_, layer) => [`k${layer}`, `v${layer}`]).flat();
    const buffers = () =>
      new Map(
        this.#names.map((name) => [name, new Float32Array(capacity * shape.heads * shape.headDim * shape.positions)]),
      );
    this.#past = buffers();
    this.#present = buffers();
  }

  /** Tokens held a row. */
  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Adds `pk…`/`pv…` to the inputs and `nk…`/`nv…` to the outputs of a step over `added` tokens a row. */
  bind(rows: number, added: number, feeds: Record<string, Tensor>, fetches: Record<string, Tensor | null>): void {
    const { heads, headDim } = this.#shape;
    const total = this.#length + added;
    for (const name of this.#names) {
      const past = this.#past.get(name) as Float32Array;
      const present = this.#present.get(name) as Float32Array;
      feeds[`p${name}`] = new Tensor("float32", past.subarray(0, rows * heads * this.#length * headDim), [
        rows,
        heads,
        this.#length,
        headDim,
      ]);
      fetches[`n${name}`] = new Tensor("float32", present.subarray(0, rows * heads * total * headDim), [
        rows,
        heads,
        total,
        headDim,
      ]);
    }
  }

  /** The step has run: what it wrote is the past now. */
  advance(added: number): void {
    this.#length += added;
    [this.#past, this.#present] = [this.#present, this.#past];
  }

  move(from: number, to: number): void {
    const row = this.#row();
    for (const data of this.#past.values()) data.copyWithin(to * row, from * row, (from + 1) * row);
  }

  /** Row `i` becomes a copy of row `parents[i]`, as beam search needs. */
  reorder(parents: readonly number[]): void {
    if (parents.every((parent, row) => parent === row)) return;
    const row = this.#row();
    for (const name of this.#names) {
      const past = this.#past.get(name) as Float32Array;
      const present = this.#present.get(name) as Float32Array;
      for (const [to, from] of parents.entries()) {
        present.set(past.subarray(from * row, (from + 1) * row), to * row);
      }
    }
    [this.#past, this.#present] = [this.#present, this.#past];
  }

  #row(): number {
    return this.#shape.heads * this.#length * this.#shape.headDim;
  }
}
