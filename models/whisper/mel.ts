/**
 * The log-mel front end of Whisper (openai/whisper, audio.py): 16 kHz, Hann window of 400 samples, hop of 160, mel
 * filters on Slaney's scale with Slaney's area normalisation (librosa.filters.mel's defaults), 0 to 8 kHz.
 */
export const SAMPLE_RATE = 16_000;
export const FFT_SIZE = 400;
export const HOP = 160;
export const BINS = FFT_SIZE / 2 + 1;

const hzPerMel = 200 / 3; // linear below 1 kHz, which is mel 15
const logStep = Math.log(6.4) / 27;

function hzOfMel(mel: number): number {
  return mel < 15 ? mel * hzPerMel : 1000 * Math.exp((mel - 15) * logStep);
}

function melOfHz(hz: number): number {
  return hz < 1000 ? hz / hzPerMel : 15 + Math.log(hz / 1000) / logStep;
}

/** Triangular filters, [mels, BINS] row-major. */
export function melFilters(mels: number): Float32Array {
  const top = melOfHz(SAMPLE_RATE / 2);
  const edges = Array.from({ length: mels + 2 }, (_, i) => hzOfMel((top * i) / (mels + 1)));
  const filters = new Float32Array(mels * BINS);
  for (let mel = 0; mel < mels; mel++) {
    const [low, middle, high] = edges.slice(mel, mel + 3) as [number, number, number];
    for (let bin = 0; bin < BINS; bin++) {
      const hz = (bin * SAMPLE_RATE) / FFT_SIZE;
      const height = Math.min((hz - low) / (middle - low), (high - hz) / (high - middle));
      filters[mel * BINS + bin] = (Math.max(0, height) * 2) / (high - low);
    }
  }
  return filters;
}

/**
 * The windowed Fourier transform as convolution kernels [2 * BINS, 1, FFT_SIZE]: the real parts of all bins, then the
 * imaginary parts. The window is periodic, as torch.hann_window's default is.
 */
export function fourierKernels(): Float32Array {
  const kernels = new Float32Array(2 * BINS * FFT_SIZE);
  for (let bin = 0; bin < BINS; bin++) {
    for (let i = 0; i < FFT_SIZE; i++) {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FFT_SIZE);
      const angle = (2 * Math.PI * ((bin * i) % FFT_SIZE)) / FFT_SIZE;
      kernels[bin * FFT_SIZE + i] = Math.cos(angle) * window;
      kernels[(BINS + bin) * FFT_SIZE + i] = -Math.sin(angle) * window;
    }
  }
  return kernels;
}
