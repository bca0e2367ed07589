import { readFile } from "node:fs/promises";
import { sentencesOf } from "../../../../understanding/sentences.ts";
import { makeCalls } from "../../pii/calls.ts";
import { dictationsOf } from "../../pii/dictations/read.ts";
import { DEVELOPMENT } from "../development.ts";
import { LOOKED_AT } from "../looked-at.ts";
import type { Example } from "./fit.ts";

/** So many drawings of a line with choices. */
const DRAWN = 12;

export interface Group {
  /** Drawings of one line; they are never parted when a part of the lines is held out. */
  examples: Example[];
}

/**
 * The sentences that the classifier is fitted to: what is said to machines and what sounds like it (`training/`), and the calls
 * by which roles are calibrated, in which nobody speaks to one.
 */
export async function readExamples(random: () => number): Promise<Group[]> {
  const groups: Group[] = [];
  for (const language of ["es", "en"]) {
    for (const [name, machine] of [
      [`training/orders-${language}.txt`, true],
      [`training/talk-${language}.txt`, false],
    ] as const)
      for (const line of linesOf(await read(name)))
        groups.push({
          examples: distinct(
            Array.from({ length: DRAWN }, () => drawn(line, random)),
            machine,
          ),
        });
    for (const line of linesOf(await read(`../../../../understanding/roles/calibration/${language}.txt`)))
      if (!line.startsWith("=")) groups.push({ examples: distinct(sentencesOf(drawn(line.slice(2), random)), false) });
  }
  for (const { said } of [...DEVELOPMENT, ...LOOKED_AT]) groups.push({ examples: distinct([...said], true) });
  for (const language of ["es", "en"] as const) {
    for (const collection of ["dictation", "everyday"] as const)
      for (const { call } of await dictationsOf(collection, language))
        groups.push({
          examples: distinct(
            call.utterances.flatMap(({ text }) => sentencesOf(text)),
            false,
          ),
        });
    for (const { call } of makeCalls(language, "wider", 60, 3))
      groups.push({
        examples: distinct(
          call.utterances.flatMap(({ text }) => sentencesOf(text)),
          false,
        ),
      });
  }
  return groups.filter(({ examples }) => examples.length > 0);
}

const read = (name: string) => readFile(new URL(name, import.meta.url), "utf8");

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));

function distinct(texts: readonly string[], machine: boolean): Example[] {
  const all = [...new Set(texts.map((text) => text.trim()))].filter((text) => /\p{L}/u.test(text));
  return all.map((text) => ({ text, machine, weight: 1 / Math.sqrt(all.length) }));
}

/** `{one|other}` is one of them, `#` a digit. */
function drawn(line: string, random: () => number): string {
  return line
    .replaceAll(/\{([^{}]*)\}/gu, (_, choices: string) => {
      const all = choices.split("|");
      return all[Math.floor(random() * all.length)] ?? "";
    })
    .replaceAll("#", () => String(Math.floor(random() * 10)))
    .replaceAll(/\s+([,.])/gu, "$1");
}
