import type { Random } from "../../../random.ts";
import type { Source } from "../noise.ts";

const RATE = 16_000;

/** Tones with their times on and off, in hertz and seconds; national plans of ITU-T E.180. */
const RING_BACK: Plan[] = [
  { hertz: [440, 480], on: 2, off: 4 },
  { hertz: [425], on: 1.5, off: 3 },
  { hertz: [425], on: 1, off: 4 },
  { hertz: [400, 450], on: 0.4, off: 0.2 },
];
const BUSY: Plan[] = [
  { hertz: [480, 620], on: 0.5, off: 0.5 },
  { hertz: [425], on: 0.2, off: 0.2 },
  { hertz: [480, 620], on: 0.25, off: 0.25 },
];

interface Plan {
  hertz: number[];
  on: number;
  off: number;
}

export const ringing: Source = (length, random) => cadence(length, random.pick(RING_BACK), random);
export const busy: Source = (length, random) => cadence(length, random.pick(BUSY), random);

function cadence(length: number, { hertz, on, off }: Plan, random: Random): Float32Array {
  const wave = hiss(length, random);
  const level = 10 ** (random.between(-24, -12) / 20) / hertz.length;
  const period = Math.round((on + off) * RATE);
  for (let i = 0; i < length; i++) {
    if (i % period < on * RATE) add(wave, i, hertz, level);
  }
  return wave;
}

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];

/** Keys pressed on a telephone, at a person's speed or a machine's (DTMF, ITU-T Q.23). */
export const dialling: Source = (length, random) => {
  const wave = hiss(length, random);
  const hold = random.between(0.06, 0.3);
  for (let at = 0; at < length; ) {
    const keys = 1 + Math.floor(random.between(0, 12));
    for (let key = 0; key < keys && at < length; key++) {
      const hertz = [random.pick(ROWS), random.pick(COLUMNS)];
      for (let i = at; i < Math.min(length, at + hold * RATE); i++) add(wave, i, hertz, 0.12);
      at += Math.round((hold + random.between(0.05, 0.4)) * RATE);
    }
    at += Math.round(random.between(1, 8) * RATE);
  }
  return wave;
};

/** A fax machine: its calling tone (1,100 Hz) or answer (2,100 Hz), then 300 bit/s frames and a page of noise (T.30). */
export const fax: Source = (length, random) => {
  const wave = hiss(length, random);
  let at = 0;
  const tone = (hertz: number[], seconds: number, level: number) => {
    for (let i = at; i < Math.min(length, at + seconds * RATE); i++) add(wave, i, hertz, level);
    at += Math.round(seconds * RATE);
  };
  while (at < length) {
    tone([random.pick([1_100, 2_100])], random.between(0.5, 3.3), 0.15);
    at += RATE / 10;
    const bits = Math.round(random.between(200, 700));
    for (let bit = 0; bit < bits && at < length; bit++) tone([random.chance(0.5) ? 1_650 : 1_850], 1 / 300, 0.12);
    keyed(wave, at, Math.min(length, at + 8 * RATE), 1_800, 2_400, random);
    at += Math.round(random.between(8, 11) * RATE);
  }
  return wave;
};

/** Two modems that agree on a speed: tones, frequency shift both ways, then scrambled data. */
export const modem: Source = (length, random) => {
  const wave = hiss(length, random);
  for (let at = 0; at < length; ) {
    const [answer, chirp, data] = [3.3 * RATE, 2 * RATE, random.between(6, 20) * RATE];
    for (let i = at; i < Math.min(length, at + answer); i++) add(wave, i, [2_100], 0.12);
    at += Math.round(answer);
    for (let i = at; i < Math.min(length, at + chirp); i++) add(wave, i, [i % 640 < 320 ? 1_270 : 2_225], 0.1);
    at += Math.round(chirp);
    keyed(wave, at, Math.min(length, at + data), 1_900, 3_000, random);
    at += Math.round(data + random.between(1, 4) * RATE);
  }
  return wave;
};

/** A carrier whose phase and size jump with each symbol, as data on a line sounds. */
function keyed(wave: Float32Array, from: number, to: number, hertz: number, baud: number, random: Random): void {
  let [phase, size] = [0, 0.1];
  for (let i = from, next = from; i < to; i++) {
    if (i >= next) {
      phase = (random.pick([0, 1, 2, 3]) * Math.PI) / 2;
      size = random.pick([0.05, 0.1, 0.15]);
      next += RATE / baud;
    }
    wave[i] = (wave[i] as number) + size * Math.sin((2 * Math.PI * hertz * i) / RATE + phase);
  }
}

function add(wave: Float32Array, i: number, hertz: number[], level: number): void {
  for (const one of hertz) wave[i] = (wave[i] as number) + level * Math.sin((2 * Math.PI * one * i) / RATE);
}

const hiss = (length: number, random: Random) => {
  const level = 10 ** (random.between(-75, -55) / 20);
  return Float32Array.from({ length }, () => level * (2 * random.next() - 1));
};
