/**
 * Kaldi's filter banks as the speaker encoder was trained on (kaldi feature-fbank.cc; 3D-Speaker's FBank): 16 kHz,
 * frames of 25 ms every 10 ms without padding at the edges, the mean taken off each frame, pre-emphasis of 0.97, the
 * "povey" window, 512 points, 80 triangles on the mel scale from 20 Hz to 8 kHz, natural logarithm of the power.
 */
export const SAMPLE_RATE = 16_000;
export const FRAME = 400;
export const HOP = 160;
export const MELS = 80;
/** Bins of the 512-point transform up to, not including, 8 kHz: Kaldi gives the last one no weight. */
export const BINS = 256;

const POINTS = 512;
const EMPHASIS = 0.97;
const LOWEST_HZ = 20;

/**
 * Everything up to the spectrum is linear in a frame's samples, so it is one convolution: kernels [2 * BINS, 1, FRAME],
 * the real parts of all bins, then the imaginary parts.
 */
export function spectrumKernels(): Float32Array {
  const kernels = new Float32Array(2 * BINS * FRAME);
  const window = Float64Array.from({ length: FRAME }, (_, i) => {
    return (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (FRAME - 1))) ** 0.85;
  });
  for (let row = 0; row < 2 * BINS; row++) {
    const bin = row % BINS;
    const weigh = row < BINS ? Math.cos : (angle: number) => -Math.sin(angle);
    // The wave as seen by the windowed frame, then by the frame before emphasis, then before its mean was taken off.
    const wave = window.map((height, i) => height * weigh((2 * Math.PI * ((bin * i) % POINTS)) / POINTS));
    const plain = wave.map((value, i) => value - EMPHASIS * (i + 1 < FRAME ? (wave[i + 1] as number) : 0));
    plain[0] = (plain[0] as number) - EMPHASIS * (wave[0] as number);
    const mean = plain.reduce((sum, value) => sum + value, 0) / FRAME;
    for (let i = 0; i < FRAME; i++) kernels[row * FRAME + i] = (plain[i] as number) - mean;
  }
  return kernels;
}

/** Triangular filters, [MELS, BINS] row-major. */
export function melTriangles(): Float32Array {
  const mel = (hz: number) => 1127 * Math.log(1 + hz / 700);
  const low = mel(LOWEST_HZ);
  const step = (mel(SAMPLE_RATE / 2) - low) / (MELS + 1);
  const filters = new Float32Array(MELS * BINS);
  for (let band = 0; band < MELS; band++) {
    const left = low + band * step;
    for (let bin = 0; bin < BINS; bin++) {
      const place = (mel((bin * SAMPLE_RATE) / POINTS) - left) / step;
      filters[band * BINS + bin] = Math.max(0, Math.min(place, 2 - place));
    }
  }
  return filters;
}
