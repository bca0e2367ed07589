import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../../audio/random.ts";
import { readWav, WavWriter } from "../../audio/wav.ts";
import type { Making } from "./build.ts";
import { freeCalls, neuralCalls } from "./call.ts";
import { kept } from "./keep.ts";
import type { Recording, Turn, Word } from "./types.ts";

const RATE = 16_000;

/** Calls that the long file is made of; it starts over in another order when they run out. */
const CALLS = 12;

/**
 * A file of `hours` in one language, calls of two end to end with known words, for what has to hold at any length:
 * memory, times, kills. Speakers are `0` and `1` of one pair throughout when `onePair`, so that their count stays known
 * however long it is; otherwise each call's speakers are its own voices. It is written piece by piece.
 */
export async function longFile(
  { hours, language, onePair = false }: { hours: number; language: "en" | "es"; onePair?: boolean },
  making: Making,
): Promise<Recording> {
  const id = `long-${language}-${hours}h${onePair ? "-one-pair" : ""}`;
  const directory = join(making.cache, "long");
  const path = join(directory, `${id}.wav`);
  if (!existsSync(`${path}.json`)) {
    await mkdir(directory, { recursive: true });
    const calls = await kept(sources(language, onePair), making);
    making.say(`${id}: composing`);
    await writeFile(
      `${path}.json.part`,
      JSON.stringify(await write(`${path}.part`, id, language, hours, calls, onePair)),
    );
    await rename(`${path}.part`, path);
    await rename(`${path}.json.part`, `${path}.json`);
  }
  return JSON.parse(await readFile(`${path}.json`, "utf8"));
}

function sources(language: "en" | "es", onePair: boolean) {
  if (onePair) {
    const pair = neuralCalls().find(({ id }) => id.startsWith(`call-${language}-held-out`));
    if (!pair) throw new Error(`no pair of voices speaks ${language}`);
    return [pair];
  }
  return freeCalls({ two: CALLS, three: 0, one: 0 }).filter(({ id }) => id.startsWith(`call-${language}-held-out`));
}

async function write(
  path: string,
  id: string,
  language: string,
  hours: number,
  calls: Recording[],
  onePair: boolean,
): Promise<Recording> {
  const random = new Random(id);
  const writer = await WavWriter.create(path, RATE);
  const words: Word[] = [];
  const turns: Turn[] = [];
  const names = new Map<string, string>();
  try {
    while (writer.length < hours * 3_600 * RATE) {
      for (const call of random.shuffled(calls)) {
        if (writer.length >= hours * 3_600 * RATE) break;
        const offset = writer.length / RATE;
        const named = (speaker: string) => {
          const voice = onePair ? speaker : (call.voices?.[Number(speaker)] ?? speaker);
          if (!names.has(voice)) names.set(voice, String(names.size));
          return names.get(voice) as string;
        };
        const shift = <T extends { speaker: string; start: number; end: number }>(one: T): T => ({
          ...one,
          speaker: named(one.speaker),
          start: one.start + offset,
          end: one.end + offset,
        });
        turns.push(...(call.turns ?? []).map(shift));
        words.push(...(call.words ?? []).map(shift));
        await writer.write((await readWav(call.path)).samples);
        await writer.write(new Int16Array(Math.round(random.between(0.5, 3) * RATE)));
      }
    }
  } finally {
    await writer.close();
  }
  return {
    id,
    set: "call",
    split: "held-out",
    language,
    path: path.replace(/\.part$/, ""),
    durationMs: Math.round((1_000 * writer.length) / RATE),
    condition: "long",
    words,
    turns,
    voices: [...names.keys()],
  };
}
