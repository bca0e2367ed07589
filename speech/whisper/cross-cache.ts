import { Tensor } from "onnxruntime-node";
import { type DecoderShape, FRAMES, type WhisperModel, WINDOW_SAMPLES } from "./model.ts";

/**
 * What the decoder attends to: the cross keys and values of a few windows, 37 MB each for Whisper base. The encoder
 * writes straight into a row, and the decoder reads the first rows in place; nothing is copied until a row is dropped.
 */
export class CrossCache {
  readonly #model: WhisperModel;
  readonly #buffers: { name: string; data: Float32Array; dims: readonly number[]; row: number }[];
  readonly #feeds = new Map<string, Record<string, Tensor>>();

  constructor(model: WhisperModel, capacity: number) {
    this.#model = model;
    this.#buffers = crossNames(model.shape).map(({ name, dims }) => {
      const row = dims.reduce((product, size) => product * size, 1);
      return { name, dims, row, data: new Float32Array(capacity * row) };
    });
  }

  /** Encodes one window of at most 30 s (zero-padded to it) into a row. */
  async encode(row: number, audio: Float32Array): Promise<void> {
    const fetches: Record<string, Tensor> = {};
    for (const { name, data, dims, row: size } of this.#buffers) {
      fetches[name] = new Tensor("float32", data.subarray(row * size, (row + 1) * size), [1, ...dims]);
    }
    await this.#model.encoder.run({ audio: new Tensor("float32", audio, [1, WINDOW_SAMPLES]) }, fetches);
  }

  /** Decoder inputs over `count` rows from `first`. */
  feeds(first: number, count: number): Record<string, Tensor> {
    const key = `${first}+${count}`;
    let feeds = this.#feeds.get(key);
    if (!feeds) {
      feeds = {};
      for (const { name, data, dims, row } of this.#buffers) {
        feeds[name] = new Tensor("float32", data.subarray(first * row, (first + count) * row), [count, ...dims]);
      }
      this.#feeds.set(key, feeds);
    }
    return feeds;
  }

  move(from: number, to: number): void {
    for (const { data, row } of this.#buffers) data.copyWithin(to * row, from * row, (from + 1) * row);
  }
}

function crossNames({ layers, heads, headDim }: DecoderShape): { name: string; dims: readonly number[] }[] {
  return Array.from({ length: layers }, (_, layer) => [
    { name: `ck${layer}`, dims: [heads, headDim, FRAMES] },
    { name: `cv${layer}`, dims: [heads, FRAMES, headDim] },
  ]).flat();
}
