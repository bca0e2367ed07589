import { clip, resample } from "./resample.ts";

/**
 * What a narrowband line leaves of 16 kHz speech: 300 to 3,400 Hz in µ-law steps (ITU-T G.711), at 16 kHz again so
 * that every recording of a set has one rate.
 */
export function telephone(samples: Int16Array): Int16Array<ArrayBuffer> {
  const narrow = resample(highPass(samples, 300, 16_000), 0.5);
  for (let i = 0; i < narrow.length; i++) narrow[i] = expandMuLaw(compressMuLaw(narrow[i] as number));
  const wide = resample(narrow, 2);
  const out = new Int16Array(samples.length);
  out.set(wide.subarray(0, out.length));
  return out;
}

/** A Butterworth high-pass of second order (RBJ cookbook). */
export function highPass(samples: Int16Array, hertz: number, rate: number): Int16Array<ArrayBuffer> {
  const w = (2 * Math.PI * hertz) / rate;
  const alpha = Math.sin(w) / Math.SQRT2;
  const cos = Math.cos(w);
  const a0 = 1 + alpha;
  const b = (1 + cos) / 2 / a0;
  const a1 = (-2 * cos) / a0;
  const a2 = (1 - alpha) / a0;
  const out = new Int16Array(samples.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i] as number;
    const y = b * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    out[i] = clip(y);
  }
  return out;
}

const BIAS = 132;

function compressMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(32_635, Math.abs(sample)) + BIAS;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  return sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f);
}

function expandMuLaw(code: number): number {
  const magnitude = (((code & 0x0f) << 3) + BIAS) << ((code >> 4) & 7);
  return code & 0x80 ? BIAS - magnitude : magnitude - BIAS;
}
