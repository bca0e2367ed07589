import type { Source } from "../noise.ts";

const RATE = 16_000;

/** An open line: from nothing at all to a hiss that is just heard. */
export const silence: Source = (length, random) => {
  const level = random.pick([0, 10 ** (-80 / 20), 10 ** (-65 / 20)]);
  return Float32Array.from({ length }, () => level * (2 * random.next() - 1));
};

/** An office without words: a fan, mains hum, and now and then a knock or a key. */
export const room: Source = (length, random) => {
  const wave = new Float32Array(length);
  const level = 10 ** (random.between(-50, -32) / 20);
  const hum = random.pick([50, 60]);
  let [brown, smooth] = [0, 0];
  for (let i = 0; i < length; i++) {
    brown = 0.995 * brown + 0.1 * random.normal();
    smooth += 0.2 * (random.normal() - smooth);
    const mains = Math.sin((2 * Math.PI * hum * i) / RATE) + 0.4 * Math.sin((6 * Math.PI * hum * i) / RATE);
    wave[i] = level * (0.8 * brown + 0.4 * smooth + 0.15 * mains);
  }
  for (let at = 0; at < length; at += Math.round(random.between(0.3, 6) * RATE)) {
    knock(wave, at, random.between(2, 8) * level, random.between(0.01, 0.08), random.between(120, 2_500));
  }
  return wave;
};

/** A street: rumble that swells and fades as cars pass. */
export const traffic: Source = (length, random) => {
  const wave = new Float32Array(length);
  const level = 10 ** (random.between(-40, -28) / 20);
  const period = random.between(6, 15);
  let [low, lower] = [0, 0];
  for (let i = 0; i < length; i++) {
    const passing = 0.3 + 0.7 * Math.abs(Math.sin((Math.PI * i) / (RATE * period))) ** 3;
    low += (0.02 + 0.08 * passing) * (random.normal() - low);
    lower = 0.998 * lower + 0.05 * random.normal();
    wave[i] = level * passing * (2 * low + lower);
  }
  return wave;
};

/** A short ring that dies away, as of a cup or a key. */
function knock(wave: Float32Array, at: number, level: number, decay: number, hertz: number): void {
  const last = Math.min(wave.length, at + Math.round(6 * decay * RATE));
  for (let i = at; i < last; i++) {
    const t = (i - at) / RATE;
    wave[i] = (wave[i] as number) + level * Math.exp(-t / decay) * Math.sin(2 * Math.PI * hertz * t);
  }
}
