import type { Attention } from "../whisper/attention.ts";

/** Samples of one frame of a path: 20 ms at 16 kHz. */
export const PATH_FRAME = 320;

/** Where in the audio each token of a text was heard. */
export interface TokenPath {
  /** First frame of each row of the attention, ascending; `frames` long audio. */
  starts: Int32Array;
  frames: number;
}

/**
 * Cross attention to token times, after openai/whisper timing.py `find_alignment`: each head's attention to a frame is
 * normalised over the tokens, averaged over the heads, smoothed by a median filter over 7 frames, and the cheapest
 * monotone path (dynamic time warping) is read off. The filter runs on the mean of the heads, not on each of them:
 * an eighth of the work, and no worse on the recordings we measured.
 */
export function tokenPath(attention: Attention): TokenPath {
  const { rows, frames } = attention;
  return { starts: warp(smooth(meanOverHeads(attention), rows, frames), rows, frames), frames };
}

/** [rows, frames]: z-scores over the tokens, averaged over the heads. */
function meanOverHeads(attention: Attention): Float32Array {
  const { rows, frames, heads } = attention;
  const mean = new Float32Array(rows * frames);
  const sum = new Float64Array(frames);
  const squares = new Float64Array(frames);
  for (let head = 0; head < heads; head++) {
    sum.fill(0);
    squares.fill(0);
    for (let row = 0; row < rows; row++) {
      const look = attention.of(row, head);
      for (let frame = 0; frame < frames; frame++) {
        const value = look[frame] as number;
        sum[frame] = (sum[frame] as number) + value;
        squares[frame] = (squares[frame] as number) + value * value;
      }
    }
    for (let frame = 0; frame < frames; frame++) {
      const average = (sum[frame] as number) / rows;
      const variance = Math.max(0, (squares[frame] as number) / rows - average * average);
      sum[frame] = average;
      squares[frame] = 1 / ((Math.sqrt(variance) + 1e-9) * heads);
    }
    for (let row = 0; row < rows; row++) {
      const look = attention.of(row, head);
      const to = row * frames;
      for (let frame = 0; frame < frames; frame++) {
        mean[to + frame] =
          (mean[to + frame] as number) +
          ((look[frame] as number) - (sum[frame] as number)) * (squares[frame] as number);
      }
    }
  }
  return mean;
}

const MEDIAN = 7;

/** Median over 7 neighbouring frames, each row on its own, the edges repeated. */
function smooth(data: Float32Array, rows: number, frames: number): Float32Array {
  const out = new Float32Array(data.length);
  const half = (MEDIAN - 1) / 2;
  const window = new Float64Array(MEDIAN);
  for (let row = 0; row < rows; row++) {
    const at = row * frames;
    for (let frame = 0; frame < frames; frame++) {
      for (let i = 0; i < MEDIAN; i++) {
        const value = data[at + Math.min(frames - 1, Math.max(0, frame + i - half))] as number;
        let place = i;
        while (place > 0 && (window[place - 1] as number) > value) {
          window[place] = window[place - 1] as number;
          place--;
        }
        window[place] = value;
      }
      out[at + frame] = window[half] as number;
    }
  }
  return out;
}

/** Dynamic time warping of rows over frames; answers the first frame of each row. */
function warp(gain: Float32Array, rows: number, frames: number): Int32Array {
  const width = frames + 1;
  let before = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
  let current = new Float64Array(width);
  const trace = new Uint8Array((rows + 1) * width);
  before[0] = 0;
  for (let row = 1; row <= rows; row++) {
    current[0] = Number.POSITIVE_INFINITY;
    const at = (row - 1) * frames;
    for (let frame = 1; frame <= frames; frame++) {
      const diagonal = before[frame - 1] as number;
      const down = before[frame] as number;
      const right = current[frame - 1] as number;
      let best = diagonal;
      let step = DIAGONAL;
      if (down < best) {
        best = down;
        step = DOWN;
      }
      if (right < best) {
        best = right;
        step = RIGHT;
      }
      current[frame] = best - (gain[at + frame - 1] as number);
      trace[row * width + frame] = step;
    }
    [before, current] = [current, before];
  }
  const starts = new Int32Array(rows);
  let row = rows;
  let frame = frames;
  while (row > 0 && frame > 0) {
    starts[row - 1] = frame - 1;
    const step = trace[row * width + frame];
    if (step !== RIGHT) row--;
    if (step !== DOWN) frame--;
  }
  return starts;
}

const DIAGONAL = 0;
const DOWN = 1;
const RIGHT = 2;
