import { SAMPLE_RATE, type Span } from "../types.ts";
import { FRAME } from "./frames.ts";

/** Half a minute: people do not get much louder or softer within it, and everyone has paused. */
const STRETCH = Math.round((30 * SAMPLE_RATE) / FRAME);
/** -70 dB of full scale: nothing that a telephone or a microphone carries is softer and still speech. */
const INAUDIBLE = 10 ** (-70 / 20);
/** 34 dB under the loudest tenth of its surroundings nobody speaks. */
const SOFTEST = 0.02;
/** 6 dB over the noise. */
const OVER_NOISE = 2;
/** A second: pauses are left in, since without a detector of voices a soft word may be what looks like one. */
const PAUSE = Math.round(SAMPLE_RATE / FRAME);
/** 96 ms: shorter bursts are clicks. */
const BURST = 3;

/**
 * What may be speech, judged by loudness alone (`measureLoudness`): all but the silences of a second and more. Stands in
 * for voice detection when that failed, so it errs towards hearing too much: music, tones and noise that comes and goes
 * are in it. A frame counts that is audible, not 34 dB softer than the loudest tenth around it, and 6 dB over the noise
 * (the tenth percentile) where there is as much between the two as speech has. Ascending, disjoint, on frame borders.
 */
export function energySpans(loudness: Float32Array, samples: number): Span[] {
  const spans: Span[] = [];
  let begin = -1;
  let end = -1;
  const close = () => {
    if (begin >= 0 && end - begin >= BURST) spans.push({ start: begin * FRAME, end: Math.min(end * FRAME, samples) });
    begin = -1;
  };
  for (let from = 0; from < loudness.length; from += STRETCH) {
    const threshold = thresholdOf(loudness, from);
    for (let frame = from; frame < Math.min(from + STRETCH, loudness.length); frame++) {
      if ((loudness[frame] as number) < threshold) continue;
      if (begin >= 0 && frame - end > PAUSE) close();
      if (begin < 0) begin = frame;
      end = frame + 1;
    }
  }
  close();
  return spans;
}

/** Of the stretch and its two neighbours, so that a stretch of silence is measured by the speech beside it. */
function thresholdOf(loudness: Float32Array, from: number): number {
  const around = loudness.slice(Math.max(0, from - STRETCH), from + 2 * STRETCH).sort();
  const at = (share: number) => around[Math.floor((around.length - 1) * share)] as number;
  const [noise, loud] = [at(0.1), at(0.9)];
  const overNoise = loud > noise * SPEECH_RANGE ? noise * OVER_NOISE : 0;
  return Math.max(INAUDIBLE, loud * SOFTEST, overNoise);
}

/** 14 dB: speech has at least as much between its pauses and its vowels; less is a drone, a crowd or a machine. */
const SPEECH_RANGE = 5;
