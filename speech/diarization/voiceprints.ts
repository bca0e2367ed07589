import type { Span } from "../types.ts";

/** Voices heard in a stretch of a recording: which samples, and a vector for each. */
export interface Voiceprints {
  /** Ascending; neighbours may touch or, around short phrases, overlap. */
  windows: Span[];
  /** One after the other, each of `width` numbers and of length 1. */
  vectors: Float32Array;
  width: number;
}

/** "VOX1", then the number of windows and of numbers a vector, all 32 bits little-endian. */
const MAGIC = 0x3158_4f56;
const HEADER = 12;

/** The stored form: header, a start and an end for each window (u32), the vectors in 16-bit floats. */
export function encodeVoiceprints({ windows, vectors, width }: Voiceprints): Uint8Array {
  const bytes = new Uint8Array(HEADER + windows.length * 8 + vectors.length * 2);
  new Uint32Array(bytes.buffer, 0, 3).set([MAGIC, windows.length, width]);
  new Uint32Array(bytes.buffer, HEADER, windows.length * 2).set(windows.flatMap(({ start, end }) => [start, end]));
  new Float16Array(bytes.buffer, HEADER + windows.length * 8).set(vectors);
  return bytes;
}

/** Throws DamagedVoiceprints. */
export function decodeVoiceprints(bytes: Uint8Array): Voiceprints {
  if (bytes.length < HEADER) throw new DamagedVoiceprints("shorter than its header");
  // A copy: what the store hands out may begin at any byte, and typed arrays want their own alignment.
  const { buffer } = Uint8Array.from(bytes);
  const [magic, count = 0, width = 0] = new Uint32Array(buffer, 0, 3);
  if (magic !== MAGIC) throw new DamagedVoiceprints("not voiceprints");
  if (buffer.byteLength !== HEADER + count * (8 + width * 2)) throw new DamagedVoiceprints("cut short");
  const places = new Uint32Array(buffer, HEADER, count * 2);
  const windows = Array.from({ length: count }, (_, i) => ({
    start: places[2 * i] as number,
    end: places[2 * i + 1] as number,
  }));
  return { windows, vectors: Float32Array.from(new Float16Array(buffer, HEADER + count * 8)), width };
}

/** Of parts that follow each other, as one. */
export function joinVoiceprints(parts: readonly Voiceprints[]): Voiceprints {
  const filled = parts.filter(({ windows }) => windows.length > 0);
  const width = filled[0]?.width ?? 0;
  if (filled.some((part) => part.width !== width)) throw new DamagedVoiceprints("vectors of two encoders");
  const vectors = new Float32Array(filled.reduce((sum, part) => sum + part.vectors.length, 0));
  let at = 0;
  for (const part of filled) {
    vectors.set(part.vectors, at);
    at += part.vectors.length;
  }
  return { windows: filled.flatMap(({ windows }) => windows), vectors, width };
}

export class DamagedVoiceprints extends Error {
  override name = "DamagedVoiceprints";
}
