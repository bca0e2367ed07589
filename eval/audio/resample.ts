const HALF = 16;
const PHASES = 512;

/**
 * Changes the number of samples by `ratio` (output rate over input rate) with a Hann-windowed sinc of 32 taps, and
 * more where it has to keep what the new rate cannot hold from folding back. Any ratio will do: a voice played at
 * 1.1 times its speed is `resample(samples, 1 / 1.1)`.
 */
export function resample(samples: Int16Array, ratio: number): Int16Array<ArrayBuffer> {
  if (!(ratio > 0)) throw new Error(`no ratio of rates: ${ratio}`);
  if (ratio === 1) return Int16Array.from(samples);
  const { taps, width } = filter(Math.min(1, ratio) * 0.95);
  const out = new Int16Array(Math.round(samples.length * ratio));
  for (let i = 0; i < out.length; i++) {
    const at = i / ratio;
    const whole = Math.floor(at);
    const phase = Math.round((at - whole) * PHASES) * width;
    const first = whole - width / 2 + 1;
    let sum = 0;
    for (let k = Math.max(0, -first), last = Math.min(width, samples.length - first); k < last; k++) {
      sum += (taps[phase + k] as number) * (samples[first + k] as number);
    }
    out[i] = clip(sum);
  }
  return out;
}

const filters = new Map<number, { taps: Float32Array; width: number }>();

/** The taps for each of the places between two samples. Cut-off as a share of the input's half rate. */
function filter(cutoff: number): { taps: Float32Array; width: number } {
  const known = filters.get(cutoff);
  if (known) return known;
  const half = Math.ceil(HALF / cutoff);
  const width = 2 * half;
  const taps = new Float32Array((PHASES + 1) * width);
  for (let phase = 0; phase <= PHASES; phase++) {
    for (let k = 0; k < width; k++) {
      const x = k - half + 1 - phase / PHASES;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * cutoff * x) / (Math.PI * cutoff * x);
      const hann = Math.abs(x) >= half ? 0 : Math.cos((Math.PI * x) / (2 * half)) ** 2;
      taps[phase * width + k] = cutoff * sinc * hann;
    }
  }
  filters.set(cutoff, { taps, width });
  return { taps, width };
}

export const clip = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)));
