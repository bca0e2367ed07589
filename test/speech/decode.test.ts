import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyOrder from "ava";
import { decodeAudio } from "../../speech/decode/decode.ts";
import { probeAudio } from "../../speech/probe.ts";
import { type Encoding, encode } from "./encode.ts";
import { glide, gsmWav, silence, voice, writeWav } from "./sound.ts";

// One process at a time: each starts two of its own.
const test = anyOrder.serial;

const directory = mkdtempSync(join(tmpdir(), "escriba-decode-"));
anyOrder.after.always(() => rmSync(directory, { recursive: true, force: true }));

const SECONDS = 7.013;

function pcmOf(path: string): Int16Array {
  const bytes = readFileSync(path);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}

/** Correlation of the decoded sound with what went in; a shift of a millisecond at 2 kHz brings it near 0. */
function likeness(decoded: Int16Array, original: Float32Array): number {
  let product = 0;
  let left = 0;
  let right = 0;
  for (let i = 0; i < Math.min(decoded.length, original.length); i++) {
    const [a, b] = [(decoded[i] as number) / 32_768, original[i] as number];
    product += a * b;
    left += a * a;
    right += b * b;
  }
  return product / Math.sqrt(left * right);
}

interface Case extends Encoding {
  name: string;
  format: string;
  channels?: number;
  /** Milliseconds by which the container is known to be longer than its sound. */
  excess?: number;
  unaligned?: boolean;
}

const CASES: Case[] = [
  { name: "voip.mp3", encoder: "libmp3lame", rate: 8_000, bitRate: 16_000, format: "mp3" },
  { name: "music.mp3", encoder: "libmp3lame", rate: 48_000, channels: 2, format: "mp3" },
  {
    // Nothing in the file says how much of it is encoder delay and padding, so no decoder can know.
    name: "vbr-without-header.mp3",
    encoder: "libmp3lame",
    rate: 44_100,
    encoderOptions: { abr: "1" },
    containerOptions: { write_xing: "0" },
    format: "mp3",
    excess: 50,
    unaligned: true,
  },
  {
    name: "layer-two.mpga",
    encoder: "mp2",
    rate: 44_100,
    container: "mp2",
    format: "mp3",
    excess: 30,
    unaligned: true,
  },
  { name: "mono.flac", encoder: "flac", rate: 16_000, format: "flac" },
  { name: "stereo.flac", encoder: "flac", rate: 44_100, channels: 2, format: "flac" },
  { name: "vorbis.ogg", encoder: "libvorbis", rate: 44_100, format: "ogg" },
  { name: "vorbis.oga", encoder: "libvorbis", rate: 22_050, channels: 2, format: "ogg" },
  { name: "opus.ogg", encoder: "libopus", rate: 48_000, container: "ogg", format: "ogg" },
  {
    name: "opus-voip.oga",
    encoder: "libopus",
    rate: 16_000,
    container: "ogg",
    encoderOptions: { application: "voip", frame_duration: "60" },
    format: "ogg",
  },
  { name: "flac-in.oga", encoder: "flac", rate: 16_000, container: "ogg", format: "ogg" },
  { name: "aac.m4a", encoder: "aac", rate: 44_100, channels: 2, container: "ipod", format: "m4a" },
  { name: "aac-8k.m4a", encoder: "aac", rate: 8_000, bitRate: 16_000, container: "ipod", format: "m4a" },
  { name: "alac.m4a", encoder: "alac", rate: 44_100, container: "ipod", format: "m4a" },
  { name: "aac.mp4", encoder: "aac", rate: 48_000, container: "mp4", format: "mp4" },
  { name: "picture.mp4", encoder: "aac", rate: 48_000, container: "mp4", picture: true, format: "mp4" },
  {
    name: "index-first.mp4",
    encoder: "aac",
    rate: 32_000,
    container: "mp4",
    containerOptions: { movflags: "faststart" },
    format: "mp4",
  },
  {
    // Fragments carry no edit list, so the encoder's 1,024 samples of delay stay in.
    name: "fragmented.mp4",
    encoder: "aac",
    rate: 44_100,
    container: "mp4",
    containerOptions: { movflags: "frag_keyframe+empty_moov+default_base_moof", frag_duration: "1000000" },
    format: "mp4",
    excess: 50,
    unaligned: true,
  },
];

for (const { name, format, channels = 1, excess = 1, unaligned = false, ...encoding } of CASES)
  test(`${name} decodes to its own length, in place, and the probe agrees`, async (t) => {
    const path = join(directory, name);
    const sound = glide(SECONDS, encoding.rate, 200, 2_500);
    encode(
      path,
      Array.from({ length: channels }, () => sound),
      encoding,
    );
    const pcm = `${path}.s16`;
    const decoded = await decodeAudio(path, pcm);
    const { durationMs } = decoded;
    t.true(Math.abs(durationMs - SECONDS * 1_000) <= excess, `${durationMs} ms`);
    t.like(decoded, { format, channels, channelsDiffer: false, samples: pcmOf(pcm).length });
    if (!unaligned) t.true(likeness(pcmOf(pcm), glide(SECONDS, 16_000, 200, 2_500)) > 0.98);
    t.like(await probeAudio(path), { format, channels, durationMs });
  });

for (const [coding, rate] of [
  ["s16", 44_100],
  ["u8", 11_025],
  ["s24", 48_000],
  ["f32", 22_050],
  ["mulaw", 8_000],
  ["alaw", 8_000],
] as const)
  test(`wav of ${coding} at ${rate} Hz decodes to its own length, in place`, async (t) => {
    const path = join(directory, `${coding}.wav`);
    writeWav(path, [glide(SECONDS, rate, 200, 2_500)], rate, coding);
    const pcm = `${path}.s16`;
    t.like(await decodeAudio(path, pcm), { format: "wav", channels: 1, durationMs: 7_013 });
    t.true(likeness(pcmOf(pcm), glide(SECONDS, 16_000, 200, 2_500)) > 0.98);
    t.is((await probeAudio(path)).durationMs, 7_013);
  });

test("GSM in wav decodes to 40 ms a block", async (t) => {
  const path = join(directory, "gsm.wav");
  writeFileSync(path, gsmWav(50));
  t.is((await decodeAudio(path, `${path}.s16`)).durationMs, 2_000);
  t.is((await probeAudio(path)).durationMs, 2_000);
});

test("16 kHz mono passes through bit for bit", async (t) => {
  const path = join(directory, "identity.wav");
  const sound = voice(2);
  writeWav(path, [sound], 16_000);
  await decodeAudio(path, `${path}.s16`);
  const expected = Int16Array.from(sound, (value) => Math.round(value * 32_768));
  t.deepEqual(pcmOf(`${path}.s16`), expected);
});

test("two channels are mixed to their mean without clipping, and known to differ", async (t) => {
  const path = join(directory, "sides.wav");
  const loud = silence(1).fill(0.99);
  const quiet = silence(1).fill(-0.5);
  writeWav(path, [loud, loud], 16_000);
  t.like(await decodeAudio(path, `${path}.s16`), { channels: 2, channelsDiffer: false });
  t.true(pcmOf(`${path}.s16`).every((value) => value === Math.round(0.99 * 32_768)));
  writeWav(path, [loud, quiet], 16_000);
  t.like(await decodeAudio(path, `${path}.s16`), { channels: 2, channelsDiffer: true });
  const mean = (Math.round(0.99 * 32_768) - 0.5 * 32_768) / 2;
  t.true(pcmOf(`${path}.s16`).every((value) => Math.abs(value - mean) <= 1));
});

test("a side that is silent differs; the same side twice behind a lossy codec does not", async (t) => {
  const path = join(directory, "sides.mp3");
  const sound = voice(3, 44_100);
  encode(path, [sound, silence(3, 44_100)], { encoder: "libmp3lame", rate: 44_100 });
  t.true((await decodeAudio(path, `${path}.s16`)).channelsDiffer);
  encode(path, [sound, sound], { encoder: "libmp3lame", rate: 44_100, bitRate: 32_000 });
  t.false((await decodeAudio(path, `${path}.s16`)).channelsDiffer);
});

test("eight channels are mixed to their mean", async (t) => {
  const path = join(directory, "eight.wav");
  const sound = glide(1, 48_000);
  writeWav(path, [sound, ...Array.from({ length: 7 }, () => silence(1, 48_000))], 48_000);
  t.like(await decodeAudio(path, `${path}.s16`), { channels: 8, channelsDiffer: true, durationMs: 1_000 });
  const peak = pcmOf(`${path}.s16`).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  t.true(Math.abs(peak - (0.5 / 8) * 32_768) < 20, `peak ${peak}`);
});

test("float samples beyond full scale, infinite or not a number become plain sound", async (t) => {
  const path = join(directory, "wild.wav");
  const sound = Float32Array.from([2, -2, Number.NaN, Number.POSITIVE_INFINITY, 0.25]);
  writeWav(path, [sound], 16_000, "f32");
  await decodeAudio(path, `${path}.s16`);
  t.deepEqual([...pcmOf(`${path}.s16`)], [32_767, -32_768, 0, 32_767, 8_192]);
});

test("the decoder reports while it works and stops when told", async (t) => {
  const path = join(directory, "reports.flac");
  encode(path, [glide(120, 16_000)], { encoder: "flac", rate: 16_000 });
  const seconds: number[] = [];
  await decodeAudio(path, `${path}.s16`, { onProgress: (progress) => seconds.push(progress.seconds) });
  t.true(seconds.length > 0);
  t.deepEqual(
    seconds,
    [...seconds].sort((a, b) => a - b),
  );
  const reason = new Error("no longer wanted");
  await t.throwsAsync(decodeAudio(path, `${path}.s16`, { signal: AbortSignal.abort(reason) }), { is: reason });
  const abort = new AbortController();
  const running = decodeAudio(path, `${path}.s16`, { signal: abort.signal, onProgress: () => abort.abort(reason) });
  await t.throwsAsync(running, { is: reason });
});
