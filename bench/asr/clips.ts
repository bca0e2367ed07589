import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { type Recording, readRecording } from "../../eval/audio/recordings.ts";
import { writeWav } from "../../eval/audio/wav.ts";
import { Random } from "../../eval/random.ts";

const RATE = 16_000;
/** Seconds. A voice message or a menu's prompt; Whisper hears at least 30 s whatever there is. */
const LONGEST = 15;

/** A short recording in a file of its own: 16 kHz mono WAV. */
export interface Clip {
  path: string;
  samples: number;
  /** What is said, when it is known. */
  text: string | null;
}

/**
 * `count` short recordings of a fixed shuffled order, each a file under `directory`, made once; again from the first
 * when they run out. Longer recordings come in pieces of 15 s, whose words are not known.
 */
export async function makeClips(directory: string, recordings: readonly Recording[], count: number): Promise<Clip[]> {
  await mkdir(directory, { recursive: true });
  const made: Clip[] = [];
  for (const recording of new Random(3).shuffled([...recordings])) {
    if (made.length >= count) break;
    made.push(...(await clipsOf(directory, recording)));
  }
  if (made.length === 0) throw new Error("there is no recording to make clips of");
  return Array.from({ length: count }, (_, i) => made[i % made.length] as Clip);
}

async function clipsOf(directory: string, recording: Recording): Promise<Clip[]> {
  const samples = await readRecording(recording);
  const clips: Clip[] = [];
  for (const [start, end] of cuts(samples.length)) {
    const recipe = createHash("sha256")
      .update(JSON.stringify([recording, start, end]))
      .digest("hex")
      .slice(0, 12);
    const path = join(directory, `clip-${recording.language}-${recipe}.wav`);
    if (!existsSync(path)) {
      await writeWav(`${path}.part`, RATE, samples.subarray(start, end));
      await rename(`${path}.part`, path);
    }
    clips.push({ path, samples: end - start, text: end - start === samples.length ? recording.text : null });
  }
  return clips;
}

/** Pieces of at most 15 s; a rest of under a second is left out, unless it is all there is. */
export function cuts(samples: number): [number, number][] {
  const pieces: [number, number][] = [];
  for (let start = 0; start < samples; start += LONGEST * RATE) {
    const end = Math.min(samples, start + LONGEST * RATE);
    if (start === 0 || end - start >= RATE) pieces.push([start, end]);
  }
  return pieces;
}
