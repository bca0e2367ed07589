import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../random.ts";
import { type Recording, readRecording } from "./recordings.ts";
import { WavWriter } from "./wav.ts";

const RATE = 16_000;

/** A long recording made of short ones, and what is said in it. */
export interface Composition {
  /** 16 kHz mono WAV. */
  path: string;
  language: string;
  samples: number;
  /** All the words, in order; empty when they are not known. */
  text: string;
  turns: Turn[];
}

/** One recording's place in it, in samples. */
export interface Turn {
  /** The recording's. */
  id: string;
  start: number;
  end: number;
  text: string;
}

/**
 * Lays recordings of one language end to end, in a shuffled order and with pauses of 0.3 to 1.2 s, until `seconds` are
 * reached (without `seconds`: each recording once); starts over in another order when they run out. The same arguments
 * make the same file, byte for byte; the file is named after them and taken as it is when it is there already.
 */
export async function compose(
  directory: string,
  name: string,
  recordings: Recording[],
  { seconds, seed }: { seconds?: number; seed: number },
): Promise<Composition> {
  const first = recordings[0];
  if (!first || recordings.some(({ language }) => language !== first.language)) {
    throw new Error("a composition wants recordings of one language");
  }
  const recipe = createHash("sha256")
    .update(JSON.stringify([seconds, seed, recordings]))
    .digest("hex")
    .slice(0, 8);
  const path = join(directory, `${name}-${first.language}${seconds === undefined ? "" : `-${seconds}s`}-${recipe}.wav`);
  const notes = `${path}.json`;
  if (existsSync(notes)) return JSON.parse(await readFile(notes, "utf8"));
  await mkdir(directory, { recursive: true });
  const random = new Random(seed);
  const writer = await WavWriter.create(`${path}.part`, RATE);
  const turns: Turn[] = [];
  do {
    for (const recording of random.shuffled(recordings)) {
      await writer.write(new Int16Array(Math.round((0.3 + 0.9 * random.next()) * RATE)));
      const start = writer.length;
      await writer.write(await readRecording(recording));
      turns.push({ id: recording.id, start, end: writer.length, text: recording.text });
      if (seconds !== undefined && writer.length >= seconds * RATE) break;
    }
  } while (seconds !== undefined && writer.length < seconds * RATE);
  await writer.close();
  const made: Composition = {
    path,
    language: first.language,
    samples: writer.length,
    text: turns.map(({ text }) => text).join(" "),
    turns,
  };
  await rename(`${path}.part`, path);
  await writeFile(notes, JSON.stringify(made));
  return made;
}
