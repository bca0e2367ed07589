import { open } from "node:fs/promises";
import { ChildCrashed } from "../process/child-process.ts";
import { measureAudio } from "./decode/decode.ts";
import { CorruptAudio, NoAudio, UnsupportedAudio } from "./decode/errors.ts";
import { type AudioFormat, CONTENT_TYPES } from "./decode/format.ts";
import { identify } from "./decode/identify.ts";

export { UnsupportedAudio } from "./decode/errors.ts";
export { type AudioFormat, HEAD_BYTES, sniffFormat } from "./decode/format.ts";

export interface Probe {
  /** Null only for a file of zero bytes. */
  format: AudioFormat | null;
  contentType: string;
  /**
   * The figure that `prepareAudio` will find, or null when there is none: zero bytes, no audio stream, undecodable,
   * truncated, or not measured within the time allowed. A recording of more than ten hours gives a figure over
   * 36,000,000 that says no more than that.
   */
  durationMs: number | null;
  channels: number | null;
}

export interface ProbeOptions {
  signal?: AbortSignal;
  /** Milliseconds after which the measurement is given up. Ten hours of MP3 take about 5 s. */
  timeoutMs?: number;
  /** Environment of the measuring process; empty unless given. */
  env?: Record<string, string | undefined>;
}

const TIMEOUT_MS = 30_000;

/**
 * Format and exact length of a local file, measured in a process of its own that is bounded in time and memory (60 to
 * 120 MB each, so the caller bounds how many run at once). Rejects with UnsupportedAudio when the first bytes are
 * those of no accepted format, and with the signal's reason.
 */
export async function probeAudio(path: string, options: ProbeOptions = {}): Promise<Probe> {
  const { size, format } = await identifyPath(path);
  const contentType = format ? CONTENT_TYPES[format] : "application/octet-stream";
  const unmeasured: Probe = { format, contentType, durationMs: null, channels: null };
  if (size === 0) return unmeasured;
  if (!format) throw new UnsupportedAudio("the file's first bytes are those of no accepted audio format");
  const { signal, env, timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const measured = await measureAudio(path, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(env && { env }),
    });
    return { ...unmeasured, durationMs: measured.durationMs, channels: measured.channels };
  } catch (error) {
    signal?.throwIfAborted();
    const unmeasurable = error instanceof CorruptAudio || error instanceof NoAudio || error instanceof ChildCrashed;
    if (unmeasurable || timeout.aborted) return unmeasured;
    throw error;
  }
}

async function identifyPath(path: string): ReturnType<typeof identify> {
  const file = await open(path);
  try {
    return await identify(file);
  } finally {
    await file.close();
  }
}
