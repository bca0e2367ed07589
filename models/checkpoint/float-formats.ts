/** Stored number formats of checkpoints, and how each becomes 32-bit floats. */
export const FLOAT_FORMATS = {
  f32: { bytes: 4, decode: (buffer: ArrayBuffer) => new Float32Array(buffer) },
  f16: { bytes: 2, decode: (buffer: ArrayBuffer) => new Float32Array(new Float16Array(buffer)) },
  // bfloat16 is the upper half of a 32-bit float.
  bf16: {
    bytes: 2,
    decode: (buffer: ArrayBuffer) => new Float32Array(Uint32Array.from(new Uint16Array(buffer), (v) => v << 16).buffer),
  },
} as const;

export type FloatFormat = keyof typeof FLOAT_FORMATS;
