import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PII_TYPES, type PiiType } from "../../../../understanding/pii/types.ts";
import type { Gold, LabelledCall, Language } from "../types.ts";

/** Rules are mended by the first half only; the second tells what they do with calls that nobody has looked at. */
export type Half = "first" | "second";

export interface Dictation extends LabelledCall {
  half: Half;
}

/** By two authors, each before they had read the rules: the file names' beginnings. */
export const COLLECTIONS = { dictation: "", everyday: "everyday-" } as const;
export type Collection = keyof typeof COLLECTIONS;

/** The dictations of a collection in a language, from the file beside this one. */
export async function dictationsOf(collection: Collection, language: Language): Promise<Dictation[]> {
  const text = await readFile(new URL(`${COLLECTIONS[collection]}${language}.txt`, import.meta.url), "utf8");
  return readDictationLines(text, language);
}

/** A call a line, in the form that the files tell at their head. Throws for a line or a mark that is not in it. */
export function readDictationLines(text: string, language: Language): Dictation[] {
  return text.split("\n").flatMap((line, number) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const gold = new Map<string, Gold>();
    const utterances = line.split(" | ").map((turn, utterance) => {
      const { side, said } = /^(?<side>[AC]): (?<said>\S.*)$/u.exec(turn.trim())?.groups ?? {};
      if (!side || !said) throw new Error(`${language}, line ${number + 1}: no turn of A: or C: in "${turn}"`);
      return {
        speaker: side === "A" ? "0" : "1",
        speakerRole: side === "A" ? ("agent" as const) : ("customer" as const),
        text: unmark(said, utterance, gold, `${language}, line ${number + 1}`),
        start: utterance * 4,
        end: utterance * 4 + 4,
      };
    });
    return [
      { id: `${language}-${number + 1}`, call: { language, utterances }, gold: [...gold.values()], half: halfOf(line) },
    ];
  });
}

/** By what is said, so that a line stays in its half whatever is written around it. */
const halfOf = (line: string): Half =>
  (createHash("sha256").update(line).digest()[0] as number) % 2 === 0 ? "first" : "second";

/** Articles and how a value is written, at the head of a mark: they tell nothing of it. */
const LEAD = /^(?:el|la|the|todo en minúsculas|all lowercase) /u;

/** The words of a turn without its marks, whose places are added to the values. */
function unmark(said: string, utterance: number, gold: Map<string, Gold>, place: string): string {
  let text = "";
  for (const part of said.split(/(\[[^\]]*\])/u)) {
    if (!part.startsWith("[")) {
      text += part;
      continue;
    }
    const {
      type,
      which = "",
      value,
    } = /^\[(?<type>[A-Z_]+)(?<which>#\d)?:(?<value>[^\]]+)\]$/u.exec(part)?.groups ?? {};
    if (!value || !PII_TYPES.includes(type as PiiType)) throw new Error(`${place}: no mark: ${part}`);
    const name = `${type}${which}`;
    const own = gold.get(name) ?? { type: type as PiiType, value: "", pieces: [] };
    own.value += value;
    const lead = LEAD.exec(value)?.[0].length ?? 0;
    own.pieces.push({ utterance, start: text.length + lead, end: text.length + value.length });
    gold.set(name, own);
    text += value;
  }
  return text;
}
