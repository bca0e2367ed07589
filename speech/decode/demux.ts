import { AV_LOG_FATAL, AVDISCARD_ALL, AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from "node-av/constants";
import { Codec, CodecContext, Dictionary, FormatContext, type Frame, InputFormat, Log, type Packet } from "node-av/lib";
import { CorruptAudio, NoAudio } from "./errors.ts";
import type { AudioFormat } from "./format.ts";

/**
 * Opens a file with FFmpeg's libraries, told which demuxer to use and allowed nothing but that file. Runs in the
 * decoding process only: the libraries are native, large and fed by strangers.
 */

/**
 * Decoders that a listed container may bring. FFmpeg opens decoders while it looks for stream parameters, so this
 * list also keeps its video decoders shut.
 */
const DECODERS = [
  "aac,alac,flac,vorbis,opus,speex,mp1,mp1float,mp2,mp2float,mp3,mp3float",
  "pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be",
  "pcm_mulaw,pcm_alaw,gsm,gsm_ms,adpcm_ima_wav,adpcm_ms,adpcm_g726,adpcm_g722,g722,g723_1,g729,amrnb,amrwb,ac3,eac3",
].join(",");

const DEMUXERS: Record<AudioFormat, string> = {
  wav: "wav",
  mp3: "mp3",
  flac: "flac",
  ogg: "ogg",
  m4a: "mov",
  mp4: "mov",
};

export interface AudioStream {
  channels: number;
  /** Samples a second of the source. */
  rate: number;
  /** Seconds a tick of packet times and durations. */
  tick: number;
  /** Samples a channel that a FLAC header announces; null where only the packets know. */
  announcedSamples: number | null;
  /** Seconds that the container claims, right or wrong; 0 when it claims none. */
  claimedSeconds: number;
  /** Fills `packet` with the next one of this stream. False at the end. The caller unrefs. */
  read(packet: Packet): boolean;
  /** Decodes `packet` (null: the end) and hands over each frame. False when the packet could not be decoded. */
  decode(packet: Packet | null, frame: Frame, onFrame: (frame: Frame) => void): boolean;
  /** Forgets the decoder's state, to go on at a later packet. */
  flush(): void;
  close(): void;
}

/** Throws CorruptAudio when nothing can be made of the file, NoAudio when it holds no sound. */
export async function openAudio(path: string, format: AudioFormat): Promise<AudioStream> {
  Log.setLevel(AV_LOG_FATAL); // its lines quote metadata of the file
  const context = new FormatContext();
  const options = Dictionary.fromObject({
    protocol_whitelist: "file",
    codec_whitelist: DECODERS,
    max_streams: 32,
    probesize: 2_000_000,
    analyzeduration: 10_000_000,
    // The default of 4 KiB a packet would be most of the cost of reading PCM.
    ...(format === "wav" ? { max_size: 16_384 } : {}),
  });
  // The asynchronous calls leave the event loop free, so that the memory guard runs while an index is built.
  const opened = await context.openInput(`file:${path}`, InputFormat.findInputFormat(DEMUXERS[format]), options);
  if (opened < 0) throw new CorruptAudio(`the file is no readable ${format} file`);
  await context.findStreamInfo();
  const index = context.findBestStream(AVMEDIA_TYPE_AUDIO);
  const stream = context.streams[index];
  if (index < 0 || !stream) {
    await context.closeInput();
    throw new NoAudio(`the ${format} file holds no audio stream`);
  }
  for (const other of context.streams) if (other.index !== index) other.discard = AVDISCARD_ALL;
  const decoder = await openDecoder(stream).catch(async (error: unknown) => {
    await context.closeInput();
    throw error;
  });
  const { num, den } = stream.timeBase;
  return {
    channels: decoder.channels,
    rate: decoder.sampleRate,
    tick: num / den,
    announcedSamples: format === "flac" && stream.duration > 0n ? Number(stream.duration) : null,
    claimedSeconds: stream.duration > 0n ? (Number(stream.duration) * num) / den : 0,
    read(packet) {
      for (;;) {
        const code = context.readFrameSync(packet);
        // An error in the middle of reading ends the stream too; what is missing then shows in the count.
        if (code < 0) return false;
        if (packet.streamIndex === index) return true;
        packet.unref();
      }
    },
    decode(packet, frame, onFrame) {
      if (decoder.sendPacketSync(packet) < 0) return false;
      for (;;) {
        const code = decoder.receiveFrameSync(frame);
        if (code < 0) return code === AVERROR_EAGAIN || code === AVERROR_EOF;
        onFrame(frame);
        frame.unref();
      }
    },
    flush: () => decoder.flushBuffers(),
    close() {
      decoder.freeContext();
      context.closeInputSync();
    },
  };
}

async function openDecoder(stream: FormatContext["streams"][number]): Promise<CodecContext> {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (!codec?.name || !DECODERS.split(",").includes(codec.name))
    throw new CorruptAudio("the file's audio is in a codec that is not accepted");
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.pktTimebase = stream.timeBase; // without it the decoder cannot trim encoder padding
  decoder.threadCount = 1;
  if (!(decoder.sampleRate > 0) || !(decoder.channels > 0) || (await decoder.open2(codec, null)) < 0)
    throw new CorruptAudio(`the file's ${codec.name} stream cannot be decoded`);
  return decoder;
}
