import { open } from "node:fs/promises";
import { FRAME } from "./frames.ts";

/** Frames read at a time: 8 s, a millisecond of work, so that the event loop is not held up. */
const SLAB = 250;

/**
 * Root mean square of each frame of 512 samples of an s16le file, 0 to 1. Stands in for the probability of speech
 * where windows must be cut and voice detection failed: the quietest place is the best guess at a pause.
 */
export async function measureLoudness(pcm: { path: string; samples: number }): Promise<Float32Array> {
  const file = await open(pcm.path);
  try {
    const loudness = new Float32Array(Math.ceil(pcm.samples / FRAME));
    const samples = new Int16Array(SLAB * FRAME);
    const bytes = new Uint8Array(samples.buffer);
    for (let first = 0; first < loudness.length; first += SLAB) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, first * FRAME * 2);
      bytes.fill(0, bytesRead);
      for (let frame = 0; frame < SLAB && first + frame < loudness.length; frame++) {
        let energy = 0;
        for (let i = frame * FRAME; i < (frame + 1) * FRAME; i++) energy += (samples[i] as number) ** 2;
        loudness[first + frame] = Math.sqrt(energy / FRAME) / 32_768;
      }
    }
    return loudness;
  } finally {
    await file.close();
  }
}
