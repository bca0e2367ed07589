import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { compose } from "../../audio/compose.ts";
import { type Recording as Reading, recordings } from "../../audio/recordings.ts";
import { Random } from "../../random.ts";
import { type Alignment, aligned } from "./aligned.ts";
import type { MakeSet, Making } from "./build.ts";
import { castFor } from "./calls/cast.ts";
import { LANGUAGES, type Language } from "./calls/language.ts";
import { produced } from "./calls/play.ts";
import { writeScript } from "./calls/script.ts";
import { kept, type Wanted } from "./keep.ts";
import type { Recording, Word } from "./types.ts";
import { RATE } from "./voices/speech.ts";

/** Recordings of a file: some two minutes. */
const A_FILE = 30;

/** Debian's recordings have some 2,900 words a language. */
const WORDS = 5_000;

/**
 * Recorded people: a reader of LibriVox and the voice of Asterisk's prompts, every recording once, dealt into files of
 * a few minutes with pauses between. A turn is one recording. Those whose words the aligner finds are in files of
 * their own, which have word times. Debian's recordings fall short of 5,000 words: calls that free voices speak
 * fill up the rest (condition `synthesised`).
 */
export const natural: MakeSet = async (making) => {
  const people = await kept(await naturalFiles(making), making);
  const more: Wanted[] = LANGUAGES.flatMap((language) => {
    const words = people.filter((one) => one.language === language).reduce((sum, { text }) => sum + count(text), 0);
    return synthesised(language, WORDS - words);
  });
  return [...people, ...(await kept(more, making))];
};

const count = (text: string | undefined) => (text ?? "").split(/\s+/).filter(Boolean).length;

export async function naturalFiles(making: Making): Promise<Wanted[]> {
  const all = await recordings(making.cache);
  const english = all.filter(({ language }) => language === "en");
  const times = new Map<string, Alignment>();
  const spanish = all.filter(({ language }) => language === "es");
  for (const readings of [english, spanish]) {
    for (const [i, alignment] of (await aligned(readings, making)).entries()) {
      times.set((readings[i] as Reading).id, alignment);
    }
  }
  const reader = ({ id }: Reading) => !id.includes("/"); // prompts are named by their paths
  const timed = ({ id }: Reading) => Boolean(times.get(id));
  const groups: [language: Language, name: string, Reading[]][] = [
    ["en", "reader", english.filter((one) => reader(one) && timed(one))],
    ["en", "reader-untimed", english.filter((one) => reader(one) && !timed(one))],
    ["en", "prompts", english.filter((one) => !reader(one) && timed(one))],
    ["en", "prompts-untimed", english.filter((one) => !reader(one) && !timed(one))],
    ["es", "prompts", spanish.filter(timed)],
    ["es", "prompts-untimed", spanish.filter((one) => !timed(one))],
  ];
  return groups.flatMap(([language, name, readings]) =>
    dealt(readings).map((some, i) => file(`natural-${language}-${name}-${i + 1}`, language, some, times, making)),
  );
}

function dealt(readings: Reading[]): Reading[][] {
  const parts = Math.ceil(readings.length / A_FILE);
  return Array.from({ length: parts }, (_, part) => readings.filter((_, i) => i % parts === part));
}

function file(
  id: string,
  language: Language,
  readings: Reading[],
  alignment: Map<string, Alignment>,
  { cache }: Making,
): Wanted {
  const person = id.includes("reader") ? "librivox" : "allison";
  return {
    id,
    set: "natural",
    recipe: { readings: readings.map(({ id, text }) => [id, text, alignment.get(id)]), person },
    make: async (path) => {
      const made = await compose(join(cache, "composed"), id, readings, { seed: 1 });
      await copyFile(made.path, path);
      const turns = made.turns.map(({ start, end, text }) => ({
        speaker: "0",
        start: start / RATE,
        end: end / RATE,
        text,
      }));
      const words = made.turns.flatMap((turn): Word[] | null[] => {
        const times = alignment.get(turn.id);
        if (!times) return [null];
        const offset = turn.start / RATE;
        return turn.text.split(/\s+/).map((text, w) => {
          const [start, end] = times[w] as [number, number];
          return { text, start: offset + start, end: offset + end, speaker: "0", language };
        });
      });
      const complete = words.every((word) => word !== null);
      return {
        // Allison has spoken in this project's measurements from the beginning.
        split: person === "allison" ? "development" : "held-out",
        language,
        durationMs: Math.round((1_000 * made.samples) / RATE),
        text: made.text,
        turns,
        voices: [`recorded-${person}`],
        ...(complete && { words: words as Word[] }),
      } satisfies Omit<Recording, "id" | "set" | "path">;
    },
  };
}

/** Calls of held-out voices with at least so many words in all. */
function synthesised(language: Language, words: number): Wanted[] {
  const wanted: Wanted[] = [];
  for (let i = 0, said = 0; said < words; i++) {
    const id = `natural-${language}-synthesised-${i + 1}`;
    const random = new Random(id);
    const script = writeScript({ kind: "inbound", language, split: "held-out", length: "long", random });
    const cast = castFor(script, "held-out", i % 2 === 0, random);
    said += script.lines.reduce((sum, { text }) => sum + count(text), 0);
    wanted.push(
      produced({ id, set: "natural", script, cast, narrow: i % 2 === 1, facts: { condition: "synthesised" } }),
    );
  }
  return wanted;
}
