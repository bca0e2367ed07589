import { closeSync, openSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Frame } from "node-av/lib";
import { serveCalls } from "../../process/child-process.ts";
import { SAMPLE_RATE } from "../types.ts";
import { findShortfall } from "./completeness.ts";
import { type AudioStream, openAudio } from "./demux.ts";
import { AudioTooLong, CorruptAudio, NoAudio, UnsupportedAudio } from "./errors.ts";
import type { AudioFormat } from "./format.ts";
import { identify } from "./identify.ts";
import { Mono } from "./mono.ts";
import { lostSeconds, newFrame, newPacket, skimLength } from "./skim.ts";

/**
 * The decoding process: the only place where FFmpeg's libraries are loaded. It reads one local file and writes
 * another, knows no secret, and ends itself when a file makes it grow.
 */

export interface DecodeRequest {
  source: string;
  /** Where the s16le mono 16 kHz samples go; null only measures. */
  destination: string | null;
  /** Milliseconds of audio that are accepted. */
  longestMs: number;
}

export interface DecodeProgress {
  /** Seconds of audio done. */
  seconds: number;
}

export interface DecodeResponse {
  format: AudioFormat;
  channels: number;
  /** Samples at 16 kHz. When only measured: beyond `longestMs` it says no more than that. */
  samples: number;
  channelsDiffer: boolean;
  peakRssBytes: number;
}

/** A ten-hour recording needs 150 MB; a hostile index may ask for any amount. */
const MEMORY_LIMIT = 768 * 2 ** 20;
const MEMORY_CHECK_MS = 100;
const BEAT_MS = 250;
/** A ten-hour Opus stream of the shortest frames has 14 million. */
const MOST_PACKETS = 20_000_000;
/** Beyond this share of packets that do not decode, what is left is no recording. */
const MOST_FAILURES = 0.2;

serveCalls<DecodeRequest, DecodeProgress, DecodeResponse>((request, progress) => {
  return Promise.race([memoryExhausted(), run(request, progress)]);
});

async function run(request: DecodeRequest, progress: (progress: DecodeProgress) => void): Promise<DecodeResponse> {
  const { source, destination, longestMs } = request;
  const format = await accept(source);
  const beat = beats(progress);
  const measure = (stream: AudioStream) => skimLength(stream, longestMs / 1_000, beat);
  // Skimming ten hours takes seconds and decoding them minutes, so a claim of more is looked into first. A claim of
  // less is no promise: decoding stops at the limit whatever the header says.
  if (destination !== null) {
    const tooLong = (stream: AudioStream) => stream.claimedSeconds > longestMs / 1_000;
    const length = await withAudio(source, format, async (stream) => (tooLong(stream) ? measure(stream) : 0));
    if (length > longestMs / 1_000) throw new AudioTooLong(overLimit(longestMs));
  }
  return withAudio(source, format, async (stream) => {
    const decoded = destination
      ? await decode(stream, destination, longestMs, beat)
      : { samples: Math.round((await measure(stream)) * SAMPLE_RATE), channelsDiffer: false };
    if (decoded.samples === 0) throw new CorruptAudio("nothing in the file can be decoded");
    const announced = stream.announcedSamples ?? 0;
    if (
      announced / stream.rate - decoded.samples / SAMPLE_RATE > 0.5 &&
      decoded.samples / SAMPLE_RATE < longestMs / 1_000
    )
      throw new CorruptAudio(tooShort(format));
    return { format, channels: stream.channels, ...decoded, peakRssBytes: process.resourceUsage().maxRSS * 1_024 };
  });
}

async function withAudio<T>(path: string, format: AudioFormat, use: (stream: AudioStream) => Promise<T>): Promise<T> {
  const stream = await openAudio(path, format);
  try {
    return await use(stream);
  } finally {
    stream.close();
  }
}

/** Throws UnsupportedAudio, NoAudio for zero bytes, CorruptAudio for a file cut short. */
async function accept(path: string): Promise<AudioFormat> {
  const file = await open(path);
  try {
    const { size, format } = await identify(file);
    if (size === 0) throw new NoAudio("the file is empty");
    if (!format) throw new UnsupportedAudio("the file's first bytes are those of no accepted audio format");
    if (await findShortfall(file, size, format)) throw new CorruptAudio(tooShort(format));
    return format;
  } finally {
    await file.close();
  }
}

function tooShort(format: AudioFormat): string {
  return `the ${format} file is truncated: it ends before its own header says`;
}

function overLimit(longestMs: number): string {
  return `the recording is longer than ${longestMs / 3_600_000} hours`;
}

async function decode(
  stream: AudioStream,
  destination: string,
  longestMs: number,
  beat: Beat,
): Promise<{ samples: number; channelsDiffer: boolean }> {
  const longest = (longestMs / 1_000) * SAMPLE_RATE;
  const file = openSync(destination, "w");
  const packet = newPacket();
  const frame = newFrame();
  const writer = bufferedWriter(file);
  let samples = 0;
  const mono = new Mono((chunk) => {
    samples += chunk.length;
    if (samples > longest) throw new AudioTooLong(overLimit(longestMs));
    writer.write(chunk);
  });
  const push = (decoded: Frame) => mono.push(decoded);
  try {
    let failures = 0;
    let packets = 0;
    for (; stream.read(packet); packets++) {
      if (packets > MOST_PACKETS) throw new CorruptAudio("the file has more packets than ten hours can have");
      if (packet.size > 0 && !stream.decode(packet, frame, push)) {
        mono.pause(lostSeconds(packet, stream));
        failures++;
      }
      packet.unref();
      if (packets % 64 === 0) await beat(samples / SAMPLE_RATE);
    }
    stream.decode(null, frame, push);
    mono.end();
    writer.flush();
    if (failures > 4 && failures > packets * MOST_FAILURES)
      throw new CorruptAudio(`${failures} of ${packets} packets cannot be decoded`);
    return { samples, channelsDiffer: mono.channelsDiffer };
  } finally {
    packet.free();
    frame.free();
    closeSync(file);
  }
}

/** Frames are small; the disk gets a megabyte at a time. */
function bufferedWriter(file: number) {
  const buffer = new Int16Array(512 * 1024);
  let used = 0;
  const flush = () => {
    const bytes = new Uint8Array(buffer.buffer, 0, used * 2);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    used = 0;
  };
  return {
    flush,
    write(samples: Int16Array) {
      if (used + samples.length > buffer.length) flush();
      buffer.set(samples, used);
      used += samples.length;
    },
  };
}

type Beat = (seconds: number) => Promise<void> | undefined;

/** Reports at most every 250 ms, and lets the event loop turn so that the report leaves and the guard runs. */
function beats(progress: (progress: DecodeProgress) => void): Beat {
  let next = 0;
  return (seconds) => {
    const now = performance.now();
    if (now < next) return undefined;
    next = now + BEAT_MS;
    progress({ seconds });
    return setImmediate();
  };
}

function memoryExhausted(): Promise<never> {
  return new Promise((_, reject) => {
    setInterval(() => {
      if (process.memoryUsage.rss() > MEMORY_LIMIT)
        reject(new CorruptAudio("decoding the file takes more memory than any recording needs"));
    }, MEMORY_CHECK_MS).unref();
  });
}
