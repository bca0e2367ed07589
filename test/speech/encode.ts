import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AVFMT_GLOBALHEADER,
  type FFAudioEncoder,
  type FFVideoEncoder,
} from "node-av/constants";
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Packet,
  Rational,
  type Stream,
} from "node-av/lib";
import { clamp } from "./sound.ts";

export interface Encoding {
  /** FFmpeg's name of it, e.g. `libmp3lame`. */
  encoder: string;
  rate: number;
  /** Name of the container; by the path's extension unless given. */
  container?: string;
  bitRate?: number;
  encoderOptions?: Record<string, string>;
  containerOptions?: Record<string, string>;
  /** Adds a black picture track of the same length, or of `seconds` where there is no sound. */
  picture?: boolean;
  seconds?: number;
}

/** Writes `channels` (none: no sound track) through a real encoder and container of FFmpeg's libraries. */
export function encode(path: string, channels: Float32Array[], encoding: Encoding): void {
  const container = new FormatContext();
  check(container.allocOutputContext2(null, encoding.container ?? null, path));
  const globalHeader = ((container.oformat?.flags ?? 0) & AVFMT_GLOBALHEADER) !== 0;
  const sound = channels.length > 0 ? addSound(container, globalHeader, channels.length, encoding) : null;
  const picture = encoding.picture ? addPicture(container, globalHeader) : null;
  check(container.openOutputSync());
  check(container.writeHeaderSync(Dictionary.fromObject(encoding.containerOptions ?? {})));
  if (sound) writeSound(container, sound, channels);
  if (picture) writePicture(container, picture, encoding.seconds ?? (channels[0]?.length ?? 0) / encoding.rate);
  check(container.writeTrailerSync());
  container.closeOutputSync();
  sound?.context.freeContext();
  picture?.context.freeContext();
}

interface Track {
  context: CodecContext;
  stream: Stream;
}

function addTrack(
  container: FormatContext,
  codec: Codec,
  context: CodecContext,
  globalHeader: boolean,
  options: Record<string, string> = {},
): Track {
  const stream = container.newStream(codec);
  if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // Not through open2's dictionary: the binding frees that twice (seen as a crash, node-av 6.1.1).
  for (const [name, value] of Object.entries(options)) check(context.setOption(name, value));
  check(context.open2Sync(codec, null));
  stream.codecpar.fromContext(context);
  stream.timeBase = context.timeBase;
  return { context, stream };
}

function addSound(container: FormatContext, globalHeader: boolean, channels: number, encoding: Encoding): Track {
  const codec = Codec.findEncoderByName(encoding.encoder as FFAudioEncoder);
  const format = FILLED.find((known) => codec?.sampleFormats?.includes(known));
  if (!codec || format === undefined) throw new Error(`no encoder ${encoding.encoder}`);
  const mask = channels === 1 ? 4n : (1n << BigInt(channels)) - 1n;
  const context = new CodecContext();
  context.allocContext3(codec);
  context.sampleRate = encoding.rate;
  context.sampleFormat = format;
  context.channelLayout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask };
  context.bitRate = BigInt(encoding.bitRate ?? 64_000);
  context.timeBase = new Rational(1, encoding.rate);
  return addTrack(container, codec, context, globalHeader, encoding.encoderOptions);
}

function writeSound(container: FormatContext, track: Track, channels: Float32Array[]): void {
  const { context } = track;
  const total = channels[0]?.length ?? 0;
  const size = context.frameSize || 1_024;
  for (let start = 0; start < total; start += size) {
    const end = Math.min(start + size, total);
    const frame = new Frame();
    frame.alloc();
    frame.format = context.sampleFormat;
    frame.nbSamples = end - start;
    frame.sampleRate = context.sampleRate;
    frame.channelLayout = context.channelLayout;
    check(frame.getBuffer());
    const parts = channels.map((channel) => channel.subarray(start, end));
    fill(frame.data ?? [], parts, context.sampleFormat);
    frame.pts = BigInt(start);
    send(container, track, frame);
    frame.free();
  }
  send(container, track, null);
}

const PICTURES_A_SECOND = 25;

function addPicture(container: FormatContext, globalHeader: boolean): Track {
  const codec = Codec.findEncoderByName("mpeg4" as FFVideoEncoder);
  if (!codec) throw new Error("no encoder mpeg4");
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = 64;
  context.height = 64;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, PICTURES_A_SECOND);
  return addTrack(container, codec, context, globalHeader);
}

function writePicture(container: FormatContext, track: Track, seconds: number): void {
  for (let index = 0; index < seconds * PICTURES_A_SECOND; index++) {
    const frame = new Frame();
    frame.alloc();
    frame.format = AV_PIX_FMT_YUV420P;
    frame.width = 64;
    frame.height = 64;
    check(frame.getBuffer());
    for (const plane of frame.data ?? []) plane.fill(128);
    frame.pts = BigInt(index);
    send(container, track, frame);
    frame.free();
  }
  send(container, track, null);
}

/** Encodes a frame (null: the end) and writes what comes of it. */
function send(container: FormatContext, { context, stream }: Track, frame: Frame | null): void {
  const packet = new Packet();
  packet.alloc();
  check(context.sendFrameSync(frame));
  while (context.receivePacketSync(packet) >= 0) {
    packet.streamIndex = stream.index;
    packet.rescaleTs(context.timeBase, stream.timeBase);
    check(container.interleavedWriteFrameSync(packet));
  }
  packet.free();
}

/** Sample formats that `fill` writes, the most exact first. */
const FILLED = [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S16];

function fill(planes: Buffer[], channels: Float32Array[], format: number): void {
  const planar = format === AV_SAMPLE_FMT_FLTP || format === AV_SAMPLE_FMT_S16P;
  const float = format === AV_SAMPLE_FMT_FLTP || format === AV_SAMPLE_FMT_FLT;
  for (const [c, channel] of channels.entries()) {
    const plane = planes[planar ? c : 0] as Buffer;
    const [step, at] = planar ? [1, 0] : [channels.length, c];
    for (const [i, value] of channel.entries()) {
      if (float) plane.writeFloatLE(value, (i * step + at) * 4);
      else plane.writeInt16LE(clamp(value, 32_768), (i * step + at) * 2);
    }
  }
}

function check(code: number): void {
  FFmpegError.throwIfError(code);
}
