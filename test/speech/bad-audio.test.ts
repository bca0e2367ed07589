import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyOrder from "ava";
import { decodeAudio, LONGEST_MS } from "../../speech/decode/decode.ts";
import { AudioTooLong, CorruptAudio, NoAudio, UnsupportedAudio } from "../../speech/decode/errors.ts";
import { probeAudio } from "../../speech/probe.ts";
import { encode } from "./encode.ts";
import { glide, silence, voice, wav, wavHeader, writeWav } from "./sound.ts";

// One process at a time: each starts two of its own.
const test = anyOrder.serial;

const directory = mkdtempSync(join(tmpdir(), "escriba-bad-audio-"));
anyOrder.after.always(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: Uint8Array | string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** The same bytes in every run. */
function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

const UTF16 = Buffer.from("\ufeffhello, this is no sound at all ".repeat(400), "utf16le");
const ZIP = Buffer.concat([Buffer.from("504b03041400000008000000", "hex"), noise(9_000)]);

const FOREIGN: [string, Uint8Array | string][] = [
  ["zip.mp3", ZIP],
  ["playlist.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1/secret\n#EXT-X-ENDLIST\n"],
  ["concat.wav", "ffconcat version 1.0\nfile /etc/passwd\n"],
  ["text.mp3", "Not audio, but words about audio.\n".repeat(300)],
  ["utf16.mp3", UTF16],
  ["random.ogg", noise(50_000)],
  ["picture.m4a", Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), noise(900)])],
  ["avi.wav", Buffer.concat([Buffer.from("RIFF\x10\0\0\0AVI LIST", "latin1"), noise(900)])],
  ["one-byte.mp3", Buffer.from([0xff])],
];

for (const [name, content] of FOREIGN)
  test(`${name} is refused as unsupported`, async (t) => {
    const path = file(name, content);
    const error = await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: UnsupportedAudio });
    t.is(error?.code, "unsupported_audio_format");
    await t.throwsAsync(probeAudio(path), { instanceOf: UnsupportedAudio });
  });

test("zero bytes are no audio, and the probe finds no duration", async (t) => {
  const path = file("empty.wav", "");
  await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: NoAudio });
  t.deepEqual(await probeAudio(path), {
    format: null,
    contentType: "application/octet-stream",
    durationMs: null,
    channels: null,
  });
});

test("a millisecond of sound is a recording", async (t) => {
  const path = file("short.wav", wav([silence(0.001)], 16_000));
  t.like(await decodeAudio(path, `${path}.s16`), { durationMs: 1, samples: 16 });
  t.is((await probeAudio(path)).durationMs, 1);
});

test("silence is a recording", async (t) => {
  const path = file("silence.wav", wav([silence(3), silence(3)], 16_000));
  t.like(await decodeAudio(path, `${path}.s16`), { durationMs: 3_000, channelsDiffer: false });
});

test("a wav without samples cannot be decoded", async (t) => {
  const path = file("header-only.wav", wav([new Float32Array(0)], 16_000));
  await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: CorruptAudio });
  t.like(await probeAudio(path), { format: "wav", durationMs: null });
});

test("a header that claims ten hours over a second of sound is a truncated file", async (t) => {
  const claim = wavHeader({ tag: 1, channels: 1, rate: 16_000, bytes: 2, dataBytes: 36_000 * 32_000 });
  const path = file("claims.wav", Buffer.concat([claim, wav([voice(1)], 16_000).subarray(44)]));
  await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: CorruptAudio, message: /truncated/ });
  t.like(await probeAudio(path), { format: "wav", durationMs: null });
});

for (const [writer, length] of [
  ["FFmpeg", 0xffff_ffff],
  ["SoX", 0x7fff_f000],
  ["GStreamer", 0],
] as const)
  test(`a wav that ${writer} wrote to a pipe has no length, and is read to its end`, async (t) => {
    const bytes = wav([voice(1)], 16_000);
    bytes.writeUInt32LE(length, 40);
    const path = file("piped.wav", bytes);
    t.is((await decodeAudio(path, `${path}.s16`)).durationMs, 1_000);
    t.is((await probeAudio(path)).durationMs, 1_000);
  });

for (const { name, ...encoding } of [
  { name: "cut.mp3", encoder: "libmp3lame", rate: 44_100 },
  { name: "cut.flac", encoder: "flac", rate: 16_000 },
  { name: "cut.ogg", encoder: "libvorbis", rate: 44_100 },
  { name: "index-last.m4a", encoder: "aac", rate: 44_100 },
  { name: "index-first.m4a", encoder: "aac", rate: 44_100, containerOptions: { movflags: "faststart" } },
])
  test(`${name}: a file cut in two thirds is refused as truncated, not half transcribed`, async (t) => {
    const path = join(directory, name);
    encode(path, [glide(20, encoding.rate)], encoding);
    truncateSync(path, Math.floor((statSync(path).size * 2) / 3));
    await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: CorruptAudio, message: /truncated/ });
    t.is((await probeAudio(path)).durationMs, null);
  });

test("noise behind a true header cannot be decoded", async (t) => {
  const path = join(directory, "noise.m4a");
  encode(path, [glide(20, 44_100)], { encoder: "aac", rate: 44_100 });
  const bytes = readFileSync(path);
  const media = bytes.indexOf("mdat");
  noise(bytes.readUInt32BE(media - 4) - 8).copy(bytes, media + 4);
  await t.throwsAsync(decodeAudio(file("noise.m4a", bytes), `${path}.s16`), { instanceOf: CorruptAudio });
});

test("a movie without a sound track is no audio", async (t) => {
  const path = join(directory, "mute.mp4");
  encode(path, [], { encoder: "aac", rate: 48_000, container: "mp4", picture: true, seconds: 1 });
  await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: NoAudio });
  t.like(await probeAudio(path), { format: "mp4", durationMs: null });
});

test("an index that claims 30 million packets is stopped before it fills the memory", async (t) => {
  const path = join(directory, "hostile.m4a");
  encode(path, [glide(5, 44_100)], { encoder: "aac", rate: 44_100 });
  const bytes = readFileSync(path);
  const count = 30_000_000;
  const sizes = bytes.indexOf("stsz");
  bytes.writeUInt32BE(1, sizes + 8);
  bytes.writeUInt32BE(count, sizes + 12);
  bytes.writeUInt32BE(count, bytes.indexOf("stsc") + 16);
  bytes.writeUInt32BE(count, bytes.indexOf("stts") + 12);
  writeFileSync(path, bytes);
  await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: CorruptAudio, message: /memory/ });
  t.is((await probeAudio(path)).durationMs, null);
});

test("packets that do not decode leave silence behind, so that the clock holds", async (t) => {
  const path = join(directory, "holes.mp3");
  const options = { containerOptions: { write_xing: "0", id3v2_version: "0" } };
  encode(path, [voice(5)], { encoder: "libmp3lame", rate: 16_000, ...options });
  const whole = await decodeAudio(path, `${path}.s16`);
  // Each copy begins without the bits that its first frame leans on.
  const copies = file("copies.mp3", Buffer.concat(Array.from({ length: 6 }, () => readFileSync(path))));
  const { durationMs } = await decodeAudio(copies, `${path}.s16`);
  t.is(durationMs, 6 * whole.durationMs);
  t.is((await probeAudio(copies)).durationMs, durationMs);
});

test("over ten hours: known at once where the file is honest", async (t) => {
  // 8 kHz µ-law, a sparse file of 288 MB.
  const path = file("long.wav", wavHeader({ tag: 7, channels: 1, rate: 8_000, bytes: 1, dataBytes: 288_000_800 }));
  truncateSync(path, 44 + 288_000_800);
  const error = await t.throwsAsync(decodeAudio(path, `${path}.s16`), { instanceOf: AudioTooLong });
  t.is(error?.code, "audio_duration_exceeded");
  t.true(((await probeAudio(path)).durationMs ?? 0) > LONGEST_MS);
});

test("exactly ten hours is not over ten hours", async (t) => {
  const path = file("ten.wav", wavHeader({ tag: 7, channels: 1, rate: 8_000, bytes: 1, dataBytes: 288_000_000 }));
  truncateSync(path, 44 + 288_000_000);
  t.is((await probeAudio(path)).durationMs, LONGEST_MS);
});

test("over the limit behind a header that claims a second: decoding stops there", async (t) => {
  const path = join(directory, "modest.flac");
  encode(path, [glide(60, 16_000)], { encoder: "flac", rate: 16_000 });
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(16_000, 4 + 4 + 14); // the low 32 bits of STREAMINFO's total samples
  writeFileSync(path, bytes);
  const pcm = `${path}.s16`;
  await t.throwsAsync(decodeAudio(path, pcm, { longestMs: 20_000 }), { instanceOf: AudioTooLong });
  t.true(statSync(pcm).size <= 20 * 32_000);
  t.is((await decodeAudio(path, pcm)).durationMs, 60_000);
});

test("a file name is never a URL or an option", async (t) => {
  const path = join(directory, "http:--%s concat:a|b.wav");
  writeWav(path, [voice(1)], 16_000);
  t.is((await decodeAudio(path, join(directory, "odd.s16"))).durationMs, 1_000);
});
