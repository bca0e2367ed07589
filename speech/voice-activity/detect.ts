import { join } from "node:path";
import { Child, ChildCrashed } from "../../process/child-process.ts";
import type { VoiceActivityProgress, VoiceActivityRequest, VoiceActivityResponse } from "./voice-activity-process.ts";

/** A slab of 4 s takes 6 ms on an idle core. */
const SILENCE_MS = 60_000;

export interface VoiceActivityOptions {
  /** Seconds of audio heard so far, every 4 s of audio. */
  onProgress?: (progress: VoiceActivityProgress) => void;
  signal?: AbortSignal;
}

/** Voice detection in a process of its own, which starts at once: its imports run beside the decoding. */
export class VoiceDetector {
  readonly #child: Child<VoiceActivityRequest, VoiceActivityProgress, VoiceActivityResponse>;
  readonly #model: string;

  /** `sileroVad` is the model's directory; `env` the environment of the process, which needs none. */
  constructor(sileroVad: string, { env }: { env?: Record<string, string | undefined> } = {}) {
    this.#model = join(sileroVad, "model.onnx");
    this.#child = new Child(new URL("./voice-activity-process.ts", import.meta.url), {
      silenceMs: SILENCE_MS,
      env: { ...env },
    });
    this.#child.start();
  }

  /**
   * Probability of speech for each frame of 512 samples of an s16le mono 16 kHz file. A crashed process is tried again
   * once, because a plan without it is worse and final. Rejects with ChildFailure or ChildCrashed, and with the
   * signal's reason.
   */
  async detect(
    pcm: { path: string; samples: number },
    { onProgress, signal }: VoiceActivityOptions = {},
  ): Promise<VoiceActivityResponse> {
    const run = () =>
      this.#child.call(
        { pcm: pcm.path, samples: pcm.samples, model: this.#model },
        { ...(onProgress && { onProgress }), ...(signal && { signal }) },
      );
    return await run().catch((error: unknown) => {
      if (error instanceof ChildCrashed) return run();
      throw error;
    });
  }

  close(): Promise<void> {
    return this.#child.close();
  }
}
