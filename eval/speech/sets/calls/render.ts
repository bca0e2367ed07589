import { clip } from "../../../audio/resample.ts";
import { telephone } from "../../../audio/telephone.ts";
import { Random } from "../../../random.ts";
import type { Turn, Word } from "../types.ts";
import { RATE, type Speech } from "../voices/speech.ts";
import type { Script } from "./script.ts";

export interface Rendered {
  samples: Int16Array<ArrayBuffer>;
  words: Word[];
  turns: Turn[];
}

/** RMS of speech, of full scale. */
const LEVEL = 0.06;

/**
 * Plays a script whose lines were spoken. Each speaker has a loudness of their own (±4 dB), the line a faint noise;
 * `narrow` gives it the band of a telephone.
 */
export function render(script: Script, spoken: Speech[], seed: string, narrow: boolean): Rendered {
  const random = new Random(seed);
  const speakers = new Map<string, number>();
  for (const { speaker } of script.lines) {
    if (!speakers.has(speaker)) speakers.set(speaker, 10 ** (random.between(-4, 4) / 20));
  }
  const places = place(script, spoken);
  const length = Math.max(...places.map((at, i) => at + (spoken[i] as Speech).samples.length)) + RATE;
  const mixed = new Float32Array(length);
  for (const [i, { speaker }] of script.lines.entries()) {
    const { samples } = spoken[i] as Speech;
    const gain = ((speakers.get(speaker) as number) * LEVEL * 32_768) / rms(samples);
    const at = places[i] as number;
    for (let k = 0; k < samples.length; k++) mixed[at + k] = (mixed[at + k] as number) + gain * (samples[k] as number);
  }
  const floor = 10 ** (random.between(-70, -58) / 20) * 32_768;
  const samples = Int16Array.from(mixed, (value) => clip(value + floor * (random.next() + random.next() - 1)));
  return { samples: narrow ? telephone(samples) : samples, ...times(script, spoken, places) };
}

/** The sample at which each line's audio begins, so that its first word begins where its pause says. */
function place(script: Script, spoken: Speech[]): number[] {
  const places: number[] = [];
  let [start, end] = [0, 0];
  for (const [i, line] of script.lines.entries()) {
    const { words } = spoken[i] as Speech;
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) throw new Error(`nothing was said of: ${line.text}`);
    const begins = line.over === undefined ? Math.max(0, end + line.pause) : start + line.over * (end - start);
    places.push(Math.max(0, Math.round((begins - first.start) * RATE)));
    if (line.over === undefined) {
      start = begins;
      end = begins + last.end - first.start;
    }
  }
  return places;
}

function times(script: Script, spoken: Speech[], places: number[]): { words: Word[]; turns: Turn[] } {
  const words: Word[] = [];
  const turns: Turn[] = [];
  for (const [i, { speaker, text }] of script.lines.entries()) {
    const offset = (places[i] as number) / RATE;
    const said = (spoken[i] as Speech).words.map(({ text, start, end }) => ({
      text,
      start: second(offset + start),
      end: second(offset + end),
      speaker,
      language: script.language,
    }));
    words.push(...said);
    turns.push({ speaker, start: said[0]?.start ?? 0, end: said.at(-1)?.end ?? 0, text });
  }
  const byStart = (a: { start: number }, b: { start: number }) => a.start - b.start;
  return { words: words.sort(byStart), turns: turns.sort(byStart) };
}

const second = (seconds: number) => Math.round(seconds * 10_000) / 10_000;

/** Over what is not silent, so that a pause inside a line does not make it louder. */
function rms(samples: Int16Array): number {
  let [sum, count] = [0, 0];
  for (const sample of samples) {
    if (Math.abs(sample) < 100) continue;
    sum += sample * sample;
    count++;
  }
  return count === 0 ? 1 : Math.sqrt(sum / count);
}
