import type { FileHandle } from "node:fs/promises";
import { spokenSamples } from "../spans.ts";
import { type PcmFile, SAMPLE_RATE, type Span } from "../types.ts";
import { WINDOW_SAMPLES } from "../whisper/model.ts";

/**
 * Reads spans of a recording, end to end, into `audio` (WINDOW_SAMPLES long, zeros after the last), as numbers in
 * [-1, 1). Only the bytes of the spans are read. Throws SpanOutside when the file does not hold them, or when they
 * sum to more than 30 s.
 */
export async function readSpans(
  handle: FileHandle,
  pcm: PcmFile,
  spans: readonly Span[],
  audio: Float32Array,
): Promise<void> {
  if (spokenSamples(spans) > WINDOW_SAMPLES) {
    throw new SpanOutside(`spans hold more than ${WINDOW_SAMPLES / SAMPLE_RATE} s`);
  }
  let written = 0;
  for (const { start, end } of spans) {
    const first = start - pcm.offset;
    const count = end - start;
    if (first < 0 || count <= 0 || first + count > pcm.length) {
      throw new SpanOutside(
        `samples ${start}-${end} are outside ${pcm.path} (${pcm.offset}-${pcm.offset + pcm.length})`,
      );
    }
    const bytes = Buffer.alloc(count * 2);
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await handle.read(bytes, read, bytes.length - read, first * 2 + read);
      if (bytesRead === 0) throw new SpanOutside(`${pcm.path} ends before sample ${end}`);
      read += bytesRead;
    }
    // Little-endian, as every platform that onnxruntime is built for.
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, count);
    for (let i = 0; i < count; i++) audio[written + i] = (samples[i] as number) / 32_768;
    written += count;
  }
  audio.fill(0, written);
}

/** The plan and the audio do not belong together. */
export class SpanOutside extends Error {
  override name = "SpanOutside";
}
