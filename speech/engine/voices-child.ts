import { open } from "node:fs/promises";
import { serveCalls } from "../../process/child-process.ts";
import { loadSpeakerEncoder, type SpeakerEncoder } from "../diarization/speaker-encoder.ts";
import { encodeVoiceprints } from "../diarization/voiceprints.ts";
import { ownSpans } from "../spans.ts";
import type { PcmFile, Window } from "../types.ts";
import { WINDOW_SAMPLES } from "../whisper/model.ts";
import { readSpans } from "./window-audio.ts";

/** The process that holds the speaker encoder: it loads it once and answers one call at a time. */

export interface VoicesRequest {
  /** Directory of the speaker encoder. */
  directory: string;
  pcm: PcmFile;
  windows: Window[];
}

/** Voiceprints of the window of that index, in their stored form. */
export interface VoicesProgress {
  index: number;
  voices: Uint8Array;
}

let loaded: { directory: string; encoder: Promise<SpeakerEncoder> } | undefined;
const audio = new Float32Array(WINDOW_SAMPLES);

serveCalls<VoicesRequest, VoicesProgress, null>(async ({ directory, pcm, windows }, progress, signal) => {
  if (loaded?.directory !== directory) loaded = { directory, encoder: loadSpeakerEncoder(directory) };
  const encoder = await loaded.encoder;
  const handle = await open(pcm.path);
  try {
    for (const window of windows) {
      signal.throwIfAborted();
      const spans = ownSpans(window);
      await readSpans(handle, pcm, spans, audio);
      progress({ index: window.index, voices: encodeVoiceprints(await encoder.embed(spans, audio)) });
    }
    return null;
  } finally {
    await handle.close();
  }
});
