import type { Random } from "../../../random.ts";
import type { Source } from "../noise.ts";

const RATE = 16_000;

/** Chords by their degrees over a root, as semitones. */
const PROGRESSIONS = [
  [
    [0, 4, 7],
    [9, 12, 16],
    [5, 9, 12],
    [7, 11, 14],
  ],
  [
    [0, 3, 7],
    [8, 12, 15],
    [3, 7, 10],
    [10, 14, 17],
  ],
  [
    [0, 4, 7, 11],
    [2, 5, 9, 12],
    [7, 11, 14, 17],
    [0, 4, 7, 9],
  ],
];

interface Style {
  /** Beats a minute. */
  tempo: number;
  /** Partials of the instrument that carries the melody, loudest first. */
  partials: number[];
  /** Seconds that a note takes to begin and to die away. */
  attack: number;
  decay: number;
  drums: boolean;
  bass: boolean;
  /** How often a beat has a note of melody. */
  melody: number;
  /** Share of the pitch that it sways by. */
  vibrato: number;
}

/** Hold music of several kinds: a music box, a soft pad, a small band with drums, a piano, strings, a lead that sings. */
const STYLES: Style[] = [
  {
    tempo: 96,
    partials: [1, 0, 0.5, 0, 0.2],
    attack: 0.005,
    decay: 0.5,
    drums: false,
    bass: false,
    melody: 0.9,
    vibrato: 0,
  },
  { tempo: 60, partials: [1, 0.3, 0.1], attack: 0.6, decay: 3, drums: false, bass: true, melody: 0.2, vibrato: 0.002 },
  {
    tempo: 118,
    partials: [1, 0.6, 0.4, 0.3, 0.2],
    attack: 0.01,
    decay: 0.3,
    drums: true,
    bass: true,
    melody: 0.7,
    vibrato: 0,
  },
  {
    tempo: 76,
    partials: [1, 0.5, 0.25, 0.12, 0.06],
    attack: 0.005,
    decay: 0.9,
    drums: false,
    bass: true,
    melody: 0.6,
    vibrato: 0,
  },
  {
    tempo: 70,
    partials: [1, 0.7, 0.5, 0.4, 0.3, 0.2],
    attack: 0.2,
    decay: 1.5,
    drums: false,
    bass: true,
    melody: 0.5,
    vibrato: 0.005,
  },
  {
    tempo: 100,
    partials: [0.5, 1, 0.9, 0.3, 0.5, 0.2],
    attack: 0.06,
    decay: 0.6,
    drums: true,
    bass: true,
    melody: 0.8,
    vibrato: 0.012,
  },
];

/** A few bars that come round again, as hold music does, with a melody that changes. */
export const music: Source = (length, random) => {
  const style = random.pick(STYLES);
  const chords = random.pick(PROGRESSIONS);
  const root = 196 * 2 ** (Math.floor(random.between(0, 8)) / 12);
  const beat = Math.round((60 / style.tempo) * RATE);
  const wave = new Float32Array(length);
  for (let at = 0, count = 0; at < length; at += beat, count++) {
    const chord = chords[Math.floor(count / 4) % chords.length] as number[];
    if (count % 4 === 0) {
      for (const step of chord) note(wave, at, pitch(root, step), 0.05, { ...style, decay: 2 * style.decay + 0.6 });
    }
    if (style.bass && count % 2 === 0) note(wave, at, pitch(root / 2, chord[0] ?? 0), 0.09, { ...style, vibrato: 0 });
    if (random.chance(style.melody)) note(wave, at, pitch(root, random.pick(chord) + 12), 0.08, style);
    if (random.chance(style.melody / 3)) note(wave, at + beat / 2, pitch(root, random.pick(chord) + 14), 0.06, style);
    if (style.drums) drum(wave, at, count % 2 === 0, random);
  }
  return wave;
};

const pitch = (root: number, step: number) => root * 2 ** (step / 12);

/** Samples between two looks at where the vibrato is. */
const BLOCK = 64;

/** Each partial is a turning arrow that shrinks: four times faster than asking for sines. */
function note(wave: Float32Array, from: number, hertz: number, level: number, style: Style): void {
  const start = Math.round(from);
  const end = Math.min(wave.length, start + Math.round(4 * style.decay * RATE));
  const rise = Math.max(1, style.attack * RATE);
  for (const [k, partial] of style.partials.entries()) {
    const frequency = hertz * (k + 1);
    if (partial === 0 || frequency > 0.45 * RATE) continue;
    const fade = Math.exp(-(1 + 0.4 * k) / (style.decay * RATE));
    let [x, y] = [level * partial, 0];
    for (let block = start; block < end; block += BLOCK) {
      const sway = 1 + style.vibrato * Math.cos((2 * Math.PI * 5.5 * (block - start)) / RATE);
      const angle = (2 * Math.PI * frequency * sway) / RATE;
      const [cos, sin] = [fade * Math.cos(angle), fade * Math.sin(angle)];
      for (let i = block; i < Math.min(end, block + BLOCK); i++) {
        wave[i] = (wave[i] as number) + Math.min(1, (i - start) / rise) * y;
        const turned = x * cos - y * sin;
        y = x * sin + y * cos;
        x = turned;
      }
    }
  }
}

/** A kick or a snare. */
function drum(wave: Float32Array, start: number, low: boolean, random: Random): void {
  const end = Math.min(wave.length, start + Math.round(0.15 * RATE));
  for (let i = start; i < end; i++) {
    const t = (i - start) / RATE;
    const hit = low ? Math.sin(2 * Math.PI * (50 + 60 * Math.exp(-30 * t)) * t) : 0.5 * (2 * random.next() - 1);
    wave[i] = (wave[i] as number) + 0.15 * Math.exp(-18 * t) * hit;
  }
}
