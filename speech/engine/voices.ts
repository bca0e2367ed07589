import { loadSpeakerEncoder, type SpeakerEncoder } from "../diarization/speaker-encoder.ts";
import { encodeVoiceprints } from "../diarization/voiceprints.ts";
import { ownSpans } from "../spans.ts";
import type { Window } from "../types.ts";
import type { ReadAudio } from "../whisper/listener.ts";
import { WINDOW_SAMPLES } from "../whisper/model.ts";

/**
 * The voices of the windows that are recognised, heard in the same process and right before them. A fault here costs
 * the speakers and not the words: it is said once on standard error, and the windows go on without voiceprints.
 */
export class Voices {
  readonly #encoder: Promise<SpeakerEncoder>;
  readonly #audio = new Float32Array(WINDOW_SAMPLES);
  #broken = false;

  /** `directory` of the speaker encoder. */
  constructor(directory: string) {
    this.#encoder = loadSpeakerEncoder(directory);
    this.#encoder.catch(() => undefined); // said by hear
  }

  /** The stored form of each window's voiceprints, in their order; undefined where there are none. */
  async hear(
    windows: readonly Window[],
    { read, onBeat }: { read: ReadAudio; onBeat: () => void },
  ): Promise<(Uint8Array | undefined)[]> {
    const heard: (Uint8Array | undefined)[] = [];
    for (const window of windows) {
      const spans = ownSpans(window);
      // A range outside the audio is a fault of the plan, which recognition is to say as well.
      await read(spans, this.#audio);
      heard.push(await this.#embed(spans, onBeat));
    }
    return heard;
  }

  async #embed(spans: Window["spans"], onBeat: () => void): Promise<Uint8Array | undefined> {
    if (this.#broken) return undefined;
    try {
      return encodeVoiceprints(await (await this.#encoder).embed(spans, this.#audio, onBeat));
    } catch (error) {
      this.#broken = true;
      process.stderr.write(`voices are not told apart: ${error instanceof Error ? error.message : error}\n`);
      return undefined;
    }
  }
}
