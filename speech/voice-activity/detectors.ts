import { VoiceDetector } from "./detect.ts";

/**
 * Voice detectors that stay between recordings: starting a process and loading the model takes longer than listening
 * to a short call. Each listens to one recording at a time, so that a short one never waits behind a long one.
 */
export class VoiceDetectors {
  readonly #sileroVad: string;
  readonly #keep: number;
  #idle: VoiceDetector[];
  #closed = false;

  /** `sileroVad` is the model's directory; `keep` of them wait for the next recording, and one from the start; with 0 none outlives its recording. */
  constructor(sileroVad: string, { keep = 1 }: { keep?: number } = {}) {
    this.#sileroVad = sileroVad;
    this.#keep = keep;
    this.#idle = keep > 0 ? [this.#start()] : [];
  }

  take(): VoiceDetector {
    return this.#idle.pop() ?? this.#start();
  }

  async give(detector: VoiceDetector): Promise<void> {
    if (!this.#closed && this.#idle.length < this.#keep) this.#idle.push(detector);
    else await detector.close();
  }

  /** Ends those that wait; those that are out end when they are given back. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map((detector) => detector.close()));
  }

  #start(): VoiceDetector {
    return new VoiceDetector(this.#sileroVad);
  }
}
