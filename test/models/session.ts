import { InferenceSession, Tensor } from "onnxruntime-node";

export function load(path: string): Promise<InferenceSession> {
  return InferenceSession.create(path, { intraOpNumThreads: 2, interOpNumThreads: 1 });
}

export const f32 = (values: Float32Array, dims: number[]) => new Tensor("float32", values, dims);
export const i64 = (values: readonly number[], dims: number[]) =>
  new Tensor("int64", BigInt64Array.from(values, BigInt), dims);

export type Outputs = InferenceSession.OnnxValueMapType;

export function floatsOf(outputs: Outputs, name: string): Float32Array {
  return outputs[name]?.data as Float32Array;
}

export interface Shape {
  decoder_layers: number;
  decoder_attention_heads: number;
  d_model: number;
  max_source_positions: number;
  vocab_size: number;
}

/** Drives step.onnx for a batch of windows: the cross keys and values of each, and the past as it grows. */
export class Decoder {
  readonly #step: InferenceSession;
  readonly #shape: Shape;
  readonly #batch: number;
  readonly #feeds: Record<string, Tensor> = {};

  /** `batch` rows of text, a multiple of the windows: a row each, unless rows share a window as beams do. */
  constructor(step: InferenceSession, shape: Shape, windows: readonly Outputs[], batch = windows.length) {
    this.#step = step;
    this.#shape = shape;
    this.#batch = batch;
    const { decoder_attention_heads: heads, max_source_positions: positions } = shape;
    const width = shape.d_model / heads;
    for (let layer = 0; layer < shape.decoder_layers; layer++) {
      for (const kind of ["k", "v"]) {
        const rows = windows.map((window) => floatsOf(window, `c${kind}${layer}`));
        const size = heads * width * positions;
        const together = new Float32Array(rows.length * size);
        for (const [row, values] of rows.entries()) together.set(values, row * size);
        const dims = kind === "k" ? [width, positions] : [positions, width];
        this.#feeds[`c${kind}${layer}`] = f32(together, [rows.length, heads, ...dims]);
        this.#feeds[`p${kind}${layer}`] = f32(new Float32Array(0), [batch, heads, 0, width]);
      }
    }
  }

  /** `ids` has one row for each of the batch; answers the outputs and keeps the new past. */
  async step(ids: readonly (readonly number[])[], bias: Float32Array, top = 1): Promise<Outputs> {
    const outputs = await this.#step.run({
      ...this.#feeds,
      input_ids: i64(ids.flat(), [this.#batch, ids[0]?.length ?? 0]),
      bias: f32(bias, [bias.length / this.#shape.vocab_size, this.#shape.vocab_size]),
      top: i64([top], [1]),
    });
    for (let layer = 0; layer < this.#shape.decoder_layers; layer++) {
      for (const kind of ["k", "v"]) this.#feeds[`p${kind}${layer}`] = outputs[`n${kind}${layer}`] as Tensor;
    }
    return outputs;
  }
}
