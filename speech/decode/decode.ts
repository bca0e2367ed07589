import { Child } from "../../process/child-process.ts";
import type { DecodeProgress, DecodeRequest, DecodeResponse } from "./decode-process.ts";
import { audioErrorFrom } from "./errors.ts";

/** Audio longer than ten hours is refused (interface, 2.4). */
export const LONGEST_MS = 36_000_000;

/** Without a report for this long the decoder counts as stuck; it reports every quarter second. */
const SILENCE_MS = 60_000;

export interface Decoded extends DecodeResponse {
  /** The one integer-millisecond figure that drives estimate and charge. */
  durationMs: number;
}

export interface DecodeOptions {
  /** Seconds of audio decoded so far; called at least every second or so. */
  onProgress?: (progress: DecodeProgress) => void;
  signal?: AbortSignal;
  /** Milliseconds of audio that are accepted; ten hours unless given. */
  longestMs?: number;
  /** Environment of the decoding process; empty unless given. */
  env?: Record<string, string | undefined>;
}

/**
 * Decodes the local file `source` to `destination`: signed 16-bit little-endian mono at 16 kHz without a header, any
 * number of channels mixed down to their mean. Samples are the clock: gaps in a container's time stamps are not
 * filled. Memory does not grow with the recording.
 *
 * Rejects with UnsupportedAudio, NoAudio, CorruptAudio (undecodable, or shorter than its own header says) or
 * AudioTooLong, none of which a repeat cures; with ChildCrashed, which it may; with the signal's reason.
 */
export async function decodeAudio(source: string, destination: string, options: DecodeOptions = {}): Promise<Decoded> {
  return await callDecoder({ source, destination, longestMs: options.longestMs ?? LONGEST_MS }, options);
}

/**
 * The figures that `decodeAudio` would give, without decoding more than the ends of the file; errors likewise, but
 * for AudioTooLong: a longer file resolves with a `durationMs` over the limit, which says no more than that.
 * `channelsDiffer` is always false.
 */
export async function measureAudio(source: string, options: DecodeOptions = {}): Promise<Decoded> {
  return await callDecoder({ source, destination: null, longestMs: options.longestMs ?? LONGEST_MS }, options);
}

async function callDecoder(request: DecodeRequest, options: DecodeOptions): Promise<Decoded> {
  const child = new Child<DecodeRequest, DecodeProgress, DecodeResponse>(
    new URL("./decode-process.ts", import.meta.url),
    { silenceMs: SILENCE_MS, env: { ...options.env } },
  );
  try {
    const { onProgress, signal } = options;
    const response = await child.call(request, { ...(onProgress && { onProgress }), ...(signal && { signal }) });
    return { ...response, durationMs: durationMs(response.samples) };
  } catch (error) {
    throw audioErrorFrom(error);
  } finally {
    await child.close();
  }
}

/** Whole milliseconds of a recording, at least 1. */
export function durationMs(samples: number): number {
  return Math.max(1, Math.round(samples / 16));
}
