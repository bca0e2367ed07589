/** Weights of a block share one scale. 64 and 8 bits lost no word error rate on Whisper base; see docs/decisions/. */
export const BLOCK = 64;

/** onnxruntime's int8 dot-product path: activations are quantised a row and block at a time, so rows of a batch do not
 * influence each other (dynamic int8 of a whole tensor shares one scale over the batch, and text changed with it). */
export const ACCURACY_LEVEL = 4n;

export interface QuantizedMatrix {
  /** [rows, blocks, BLOCK], offset by 128 (MatMulNBits' implied zero point at 8 bits). */
  values: Uint8Array;
  /** [rows * blocks] */
  scales: Float32Array;
  blocks: number;
}

/**
 * Symmetric block-wise 8-bit quantisation as com.microsoft.MatMulNBits stores it (onnxruntime,
 * docs/ContribOperators.md). `weights` is [rows, columns] row-major: outputs by inputs, transposed as in a checkpoint.
 */
export function quantizeBlocks(weights: Float32Array, rows: number, columns: number): QuantizedMatrix {
  const blocks = Math.ceil(columns / BLOCK);
  const values = new Uint8Array(rows * blocks * BLOCK).fill(128);
  const scales = new Float32Array(rows * blocks);
  for (let row = 0; row < rows; row++) {
    for (let block = 0; block < blocks; block++) {
      const from = row * columns + block * BLOCK;
      const to = Math.min(from + BLOCK, (row + 1) * columns);
      let peak = 0;
      for (let i = from; i < to; i++) peak = Math.max(peak, Math.abs(weights[i] as number));
      const scale = Math.fround(peak / 127) || 1; // a block of zeros, or of numbers too small for a scale
      const at = row * blocks + block;
      scales[at] = scale;
      for (let i = from, o = at * BLOCK; i < to; i++, o++) {
        const step = Math.round((weights[i] as number) / scale);
        values[o] = 128 + Math.max(-127, Math.min(127, step));
      }
    }
  }
  return { values, scales, blocks };
}
