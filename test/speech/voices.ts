import type { Voiceprints } from "../../speech/diarization/voiceprints.ts";
import type { Span } from "../../speech/types.ts";

/** Voices out of thin air: windows whose vectors lie around a direction of their voice, as an encoder's do. */

export const WIDTH = 64;
const SECOND = 16_000;

/** Deterministic numbers, uniform in [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Said {
  voice: number;
  seconds: number;
}

/** Cosine of two windows of one voice is about 1 / (1 + spread²); of two voices about 0. */
export function speaking(turns: Iterable<Said>, { spread = 0.7, seed = 1, from = 0 } = {}): Voiceprints {
  const random = randomFrom(seed);
  const windows: Span[] = [];
  const rows: Float32Array[] = [];
  let at = from;
  for (const { voice, seconds } of turns) {
    const parts = Math.ceil(seconds / 2);
    const step = Math.round((seconds / parts) * SECOND);
    for (let part = 0; part < parts; part++) {
      windows.push({ start: at, end: at + step });
      rows.push(vectorOf(voice, spread, random));
      at += step;
    }
    at += SECOND / 4;
  }
  const vectors = new Float32Array(rows.length * WIDTH);
  for (const [i, row] of rows.entries()) vectors.set(row, i * WIDTH);
  return { windows, vectors, width: WIDTH };
}

const directions = new Map<number, Float32Array>();
function directionOf(voice: number): Float32Array {
  const random = randomFrom(1_000 + voice);
  const direction = directions.get(voice) ?? Float32Array.from({ length: WIDTH }, () => random() - 0.5);
  directions.set(voice, direction);
  return direction;
}

function vectorOf(voice: number, spread: number, random: () => number): Float32Array {
  const direction = directionOf(voice);
  const noise = Float32Array.from({ length: WIDTH }, () => random() - 0.5);
  const [a, b] = [Math.hypot(...direction), Math.hypot(...noise)];
  const mixed = direction.map((value, i) => value / a + (spread * (noise[i] as number)) / b);
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}

/** Turns of two to seven seconds, a voice each in turn. */
export function conversation(voices: readonly number[], seconds: number, seed = 7): Said[] {
  const random = randomFrom(seed);
  const turns: Said[] = [];
  for (let said = 0; said < seconds; ) {
    const turn = { voice: voices[turns.length % voices.length] as number, seconds: 2 + random() * 5 };
    turns.push(turn);
    said += turn.seconds;
  }
  return turns;
}
