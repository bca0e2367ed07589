import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyOrder from "ava";
import { decodeAudio } from "../../speech/decode/decode.ts";
import { encode } from "./encode.ts";
import { join as concatenate, noise, silence, voice, writeWav } from "./sound.ts";

// One process at a time.
const test = anyOrder.serial;

const directory = mkdtempSync(join(tmpdir(), "escriba-stereo-"));
anyOrder.after.always(() => rmSync(directory, { recursive: true, force: true }));

async function decoded(path: string): Promise<{ sound: Float32Array; channelsDiffer: boolean }> {
  const { channelsDiffer } = await decodeAudio(path, `${path}.s16`);
  const bytes = readFileSync(`${path}.s16`);
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  return { sound: Float32Array.from(samples, (value) => value / 32_768), channelsDiffer };
}

function turned(sound: Float32Array, gain = 1): Float32Array {
  return sound.map((value) => -gain * value);
}

function level(sound: Float32Array): number {
  return Math.sqrt(sound.reduce((sum, value) => sum + value * value, 0) / sound.length);
}

/** Root mean square of what is left after `expected` is taken away, over that of `expected`. */
function deviation(sound: Float32Array, expected: Float32Array): number {
  return level(expected.map((value, i) => value - (sound[i] as number))) / level(expected);
}

test("a recording whose sides are opposite in phase is heard as its stronger side", async (t) => {
  const path = join(directory, "opposite.wav");
  const speech = voice(4);
  writeWav(path, [speech, turned(speech, 0.7)], 16_000);
  t.true(deviation((await decoded(path)).sound, speech) < 0.01);
  writeWav(path, [speech, turned(speech)], 16_000);
  t.false((await decoded(path)).channelsDiffer, "a copy turned upside down is no second side");
  writeWav(path, [turned(speech, 0.7), speech], 16_000);
  t.true(deviation((await decoded(path)).sound, speech) < 0.01);
});

for (const [name, encoder, rate] of [
  ["opposite.flac", "flac", 44_100],
  ["opposite.mp3", "libmp3lame", 44_100],
  ["opposite.m4a", "aac", 48_000],
  ["opposite.ogg", "libvorbis", 44_100],
] as const)
  test(`${name} does not cancel`, async (t) => {
    const path = join(directory, name);
    const speech = voice(4, rate);
    encode(path, [speech, turned(speech)], { encoder, rate, bitRate: 96_000 });
    const { sound } = await decoded(path);
    const expected = level(voice(4));
    t.true(Math.abs(level(sound) - expected) < 0.1 * expected, `${level(sound)} of ${expected}`);
  });

test("opposite phase behind different noises is still recognised", async (t) => {
  const path = join(directory, "noisy.wav");
  const speech = voice(4);
  const noisy = (sound: Float32Array, seed: number) => {
    const hiss = noise(4, 0.02, seed);
    return sound.map((value, i) => value + (hiss[i] as number));
  };
  writeWav(path, [noisy(speech, 1), noisy(turned(speech), 2)], 16_000);
  t.true(level((await decoded(path)).sound) > 0.95 * level(speech));
});

test("two voices on two sides keep both, alone and together", async (t) => {
  const path = join(directory, "sides.wav");
  const left = concatenate(voice(3), silence(3), voice(3));
  const right = concatenate(silence(3), voice(3, 16_000, 200), voice(3, 16_000, 200));
  writeWav(path, [left, right], 16_000);
  const { sound, channelsDiffer } = await decoded(path);
  const mean = left.map((value, i) => (value + (right[i] as number)) / 2);
  t.true(deviation(sound, mean) < 0.01);
  t.true(channelsDiffer);
});

test("a recording that turns opposite half-way is followed, both ways", async (t) => {
  const path = join(directory, "turning.wav");
  const speech = voice(12);
  const other = speech.map((value, i) => (i >= 4 * 16_000 && i < 8 * 16_000 ? -value : value));
  writeWav(path, [speech, other], 16_000);
  const { sound } = await decoded(path);
  // What was heard just before has its say for a second and a half; after that each part stands whole.
  for (const [from, to] of [
    [0, 4],
    [5.5, 8],
    [9.5, 12],
  ] as const) {
    const part = (samples: Float32Array) => samples.subarray(from * 16_000, to * 16_000);
    // Both sides are as strong; the one turned upside down sounds the same.
    const apart = Math.min(deviation(part(sound), part(speech)), deviation(part(sound), part(turned(speech))));
    t.true(apart < 0.01, `${from} to ${to} s: ${apart}`);
  }
});

test("constant offsets of opposite sign are no opposite phase", async (t) => {
  const path = join(directory, "offset.wav");
  const speech = voice(2);
  writeWav(path, [speech.map((value) => value / 2 + 0.3), silence(2).fill(-0.3)], 16_000);
  const { sound } = await decoded(path);
  t.true(
    deviation(
      sound,
      speech.map((value) => value / 4),
    ) < 0.01,
  );
});
