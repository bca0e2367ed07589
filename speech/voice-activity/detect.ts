import { join } from "node:path";
import { Child, ChildCrashed } from "../child-process.ts";
import type { VoiceActivityProgress, VoiceActivityRequest, VoiceActivityResponse } from "./voice-activity-process.ts";

/** A slab of 16 s takes 20 ms on an idle core. */
const SILENCE_MS = 60_000;

/**
 * glibc keeps freed tensors of a few megabytes in its heap, and how many depends on timing: 130 to 220 MB at the peak
 * for the same file. Mapped one by one they go back at once: 121 MB, every time. Other C libraries ignore it.
 */
const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: String(2 ** 20) };

export interface VoiceActivityOptions {
  /** Seconds of audio heard so far, every 16 s of audio. */
  onProgress?: (progress: VoiceActivityProgress) => void;
  signal?: AbortSignal;
  env?: Record<string, string | undefined>;
}

/**
 * Probability of speech for each frame of 512 samples of an s16le mono 16 kHz file, from the model in the directory
 * `sileroVad`. A crashed process is tried again once, because a plan without it is worse and final. Rejects with
 * ChildFailure or ChildCrashed, and with the signal's reason.
 */
export async function detectVoice(
  pcm: { path: string; samples: number },
  sileroVad: string,
  options: VoiceActivityOptions = {},
): Promise<VoiceActivityResponse> {
  const child = new Child<VoiceActivityRequest, VoiceActivityProgress, VoiceActivityResponse>(
    new URL("./voice-activity-process.ts", import.meta.url),
    { silenceMs: SILENCE_MS, env: { ...ALLOCATION, ...options.env } },
  );
  const { onProgress, signal } = options;
  const run = () =>
    child.call(
      { pcm: pcm.path, samples: pcm.samples, model: join(sileroVad, "model.onnx") },
      { ...(onProgress && { onProgress }), ...(signal && { signal }) },
    );
  try {
    return await run().catch((error: unknown) => {
      if (error instanceof ChildCrashed) return run();
      throw error;
    });
  } finally {
    await child.close();
  }
}
