import { writeFileSync } from "node:fs";

/** Sound that the tests make themselves: a voice that voice detection takes for one, and WAV in plain TypeScript. */

/**
 * A formant synthesis of vowels in syllables of a quarter second (Klatt's cascade, much reduced): no words, but Silero
 * is sure of it.
 */
export function voice(seconds: number, rate = 16_000, pitch = 120): Float32Array {
  const vowels = [
    [730, 1090, 2440],
    [270, 2290, 3010],
    [300, 870, 2240],
    [530, 1840, 2480],
    [570, 840, 2410],
  ];
  const bandwidths = [80, 100, 140];
  const samples = new Float32Array(Math.round(seconds * rate));
  const memory = bandwidths.map(() => [0, 0] as [number, number]);
  let phase = 0;
  for (let i = 0; i < samples.length; i++) {
    const time = i / rate;
    const syllable = Math.floor(time * 4);
    const within = (time * 4) % 1;
    const loudness = within < 0.8 ? Math.sqrt(Math.sin((Math.PI * within) / 0.8)) : 0.02;
    phase += (pitch * (1 + 0.15 * Math.sin(2 * Math.PI * 0.7 * time))) / rate;
    const pulse = phase >= 1 ? 1 : 0;
    phase %= 1;
    let sum = 0;
    for (const [k, bandwidth] of bandwidths.entries()) {
      const from = vowels[syllable % 5]?.[k] ?? 0;
      const to = vowels[(syllable + 1) % 5]?.[k] ?? 0;
      const radius = Math.exp((-Math.PI * bandwidth) / rate);
      const angle = (2 * Math.PI * (from + (to - from) * within)) / rate;
      const state = memory[k] as [number, number];
      const out = pulse * (1 - radius) + 2 * radius * Math.cos(angle) * state[0] - radius * radius * state[1];
      state[1] = state[0];
      state[0] = out;
      sum += out / (k + 1);
    }
    samples[i] = sum * loudness;
  }
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return samples.map((value) => (value / peak) * 0.5);
}

/** A tone that glides from `from` to `to` Hz, at half of full scale: any shift in time shows. */
export function glide(seconds: number, rate: number, from = 300, to = 3_000): Float32Array {
  return new Float32Array(Math.round(seconds * rate)).map((_, i) => {
    const time = i / rate;
    return 0.5 * Math.sin(2 * Math.PI * (from * time + ((to - from) * time * time) / (2 * seconds)));
  });
}

/** White noise between -`peak` and `peak`, the same for the same seed. */
export function noise(seconds: number, peak: number, seed = 1, rate = 16_000): Float32Array {
  let state = seed;
  return silence(seconds, rate).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return peak * (state / 2 ** 31 - 1);
  });
}

export function silence(seconds: number, rate = 16_000): Float32Array {
  return new Float32Array(Math.round(seconds * rate));
}

export function join(...parts: Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    whole.set(part, at);
    return at + part.length;
  }, 0);
  return whole;
}

type WavCoding = "s16" | "u8" | "s24" | "f32" | "mulaw" | "alaw";

const WAV_CODINGS: Record<
  WavCoding,
  { tag: number; bytes: number; write: (b: Buffer, at: number, v: number) => void }
> = {
  s16: { tag: 1, bytes: 2, write: (b, at, v) => b.writeInt16LE(clamp(v, 32_768), at) },
  u8: { tag: 1, bytes: 1, write: (b, at, v) => b.writeUInt8(clamp(v, 128) + 128, at) },
  s24: { tag: 1, bytes: 3, write: (b, at, v) => b.writeIntLE(clamp(v, 8_388_608), at, 3) },
  f32: { tag: 3, bytes: 4, write: (b, at, v) => b.writeFloatLE(v, at) },
  mulaw: { tag: 7, bytes: 1, write: (b, at, v) => b.writeUInt8(mulaw(clamp(v, 32_768)), at) },
  alaw: { tag: 6, bytes: 1, write: (b, at, v) => b.writeUInt8(alaw(clamp(v, 32_768)), at) },
};

/** A WAV file of any number of channels, each of the same length. */
export function wav(channels: Float32Array[], rate: number, coding: WavCoding = "s16"): Buffer {
  const { tag, bytes, write } = WAV_CODINGS[coding];
  const samples = channels[0]?.length ?? 0;
  const data = Buffer.alloc(samples * channels.length * bytes);
  for (let i = 0; i < samples; i++)
    for (const [c, channel] of channels.entries()) write(data, (i * channels.length + c) * bytes, channel[i] ?? 0);
  return Buffer.concat([wavHeader({ tag, channels: channels.length, rate, bytes, dataBytes: data.length }), data]);
}

export function wavHeader(shape: {
  tag: number;
  channels: number;
  rate: number;
  bytes: number;
  dataBytes: number;
}): Buffer {
  const { tag, channels, rate, bytes, dataBytes } = shape;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(Math.min(36 + dataBytes, 0xffff_ffff), 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * bytes, 28);
  header.writeUInt16LE(channels * bytes, 32);
  header.writeUInt16LE(bytes * 8, 34);
  header.write("data", 36);
  header.writeUInt32LE(Math.min(dataBytes, 0xffff_ffff), 40);
  return header;
}

/** GSM 06.10 in WAV ("WAV49"): blocks of 65 bytes for 320 samples at 8 kHz, filled with any bits, all of which decode. */
export function gsmWav(blocks: number): Buffer {
  const format = Buffer.from("31000100401f000059060000410000000200400166616374", "hex");
  const sized = Buffer.alloc(8);
  const head = Buffer.alloc(16);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(20);
  sized.writeUInt32LE(4, 0);
  sized.writeUInt32LE(blocks * 320, 4);
  const data = Buffer.alloc(8 + blocks * 65, 0x5a);
  data.write("data", 0);
  data.writeUInt32LE(blocks * 65, 4);
  return Buffer.concat([head.subarray(0, 16), length, format, sized, data]);
}

export function writeWav(path: string, channels: Float32Array[], rate: number, coding: WavCoding = "s16"): void {
  writeFileSync(path, wav(channels, rate, coding));
}

export function clamp(value: number, scale: number): number {
  return Math.max(-scale, Math.min(scale - 1, Math.round(value * scale)));
}

/** ITU-T G.711. */
function mulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 0xff;
}

function alaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767);
  const exponent = magnitude < 256 ? 0 : Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 15;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}
