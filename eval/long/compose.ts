import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readWav, WavWriter } from "../audio/wav.ts";
import { Random } from "../random.ts";
import type { TimedWord } from "../speech/measure/word-starts.ts";
import type { Recording } from "../speech/sets/types.ts";

const RATE = 16_000;

/** Recordings end to end, and their words where they now are. */
export interface LongRecording {
  path: string;
  seconds: number;
  /** In order of their starts. */
  words: TimedWord[];
}

/** Silence between two recordings. */
const PAUSE_SECONDS = 2;

/**
 * Recordings in a seeded order, over and over, until `minutes` are full; the last one is whole. Made once under
 * `directory`. The samples pass through one recording at a time. Throws without a recording whose words have times.
 */
export async function composeLong(
  directory: string,
  recordings: readonly Recording[],
  { minutes, seed }: { minutes: number; seed: number },
): Promise<LongRecording> {
  const timed = recordings.filter(({ words = [] }) => words.length > 0);
  if (timed.length === 0) throw new Error("there is no call whose words have times");
  const recipe = createHash("sha256").update(
    JSON.stringify([minutes, seed, timed.map(({ id, words }) => [id, words])]),
  );
  const path = join(directory, `long-${minutes}m-${recipe.digest("hex").slice(0, 12)}.wav`);
  const notes = `${path}.json`;
  if (existsSync(notes)) return JSON.parse(await readFile(notes, "utf8"));
  await mkdir(directory, { recursive: true });
  const random = new Random(seed);
  const writer = await WavWriter.create(`${path}.part`, RATE);
  const words: TimedWord[] = [];
  while (writer.length < minutes * 60 * RATE) {
    const recording = random.pick(timed);
    const { rate, samples } = await readWav(recording.path);
    if (rate !== RATE) throw new Error(`${recording.path} has ${rate} samples a second`);
    const offset = writer.length / RATE;
    await writer.write(samples);
    await writer.write(new Int16Array(PAUSE_SECONDS * RATE));
    for (const { text, start, end } of recording.words ?? []) {
      words.push({ text, start: start + offset, end: end + offset });
    }
  }
  await writer.close();
  const made = { path, seconds: writer.length / RATE, words };
  await rename(`${path}.part`, path);
  await writeFile(`${notes}.part`, JSON.stringify(made));
  await rename(`${notes}.part`, notes);
  return made;
}
