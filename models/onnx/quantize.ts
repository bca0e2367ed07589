/** Weights of a block share one scale. 64 and 8 bits lost no word error rate on Whisper base. */
export const BLOCK = 64;

/**
 * Symmetric 8-bit quantisation with one scale an output, as MatMulInteger wants it: `weights` [outputs, inputs] becomes
 * `values` [inputs, outputs]. Only 7 of the bits are used: on processors without VNNI two products of 8-bit numbers
 * are added in 16 bits and cut off (onnxruntime, quantization docs, "reduce_range"), and 2 × 255 × 63 still fits. Every
 * processor then gives the same answer.
 */
export function quantizeOutputs(weights: Float32Array, outputs: number, inputs: number) {
  const values = new Int8Array(inputs * outputs);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weights.subarray(output * inputs, (output + 1) * inputs);
    const scale = Math.fround(peakOf(row) / OUTPUT_LEVELS) || 1;
    scales[output] = scale;
    for (let i = 0; i < inputs; i++) values[i * outputs + output] = level((row[i] as number) / scale, OUTPUT_LEVELS);
  }
  return { values, scales };
}

const OUTPUT_LEVELS = 63;
const BLOCK_LEVELS = 127;

function peakOf(values: Float32Array): number {
  let peak = 0;
  for (const value of values) peak = Math.max(peak, Math.abs(value));
  return peak;
}

function level(value: number, most: number): number {
  return Math.max(-most, Math.min(most, Math.round(value)));
}

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
      const part = weights.subarray(from, Math.min(from + BLOCK, (row + 1) * columns));
      // A block of zeros, or of numbers too small for a scale, becomes zeros.
      const scale = Math.fround(peakOf(part) / BLOCK_LEVELS) || 1;
      const at = row * blocks + block;
      scales[at] = scale;
      for (const [i, weight] of part.entries()) values[at * BLOCK + i] = 128 + level(weight / scale, BLOCK_LEVELS);
    }
  }
  return { values, scales, blocks };
}
