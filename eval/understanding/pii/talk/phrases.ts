import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Half } from "../dictations/read.ts";
import type { Language } from "../types.ts";

/** What people say around values, by section of the files in `phrases/`, for one half of the phrases. */
export type Phrases = (section: string) => readonly string[];

/** The phrases of a half; rules are mended by calls of the first half only. Throws for a section that has none. */
export async function phrasesOf(language: Language, half: Half): Promise<Phrases> {
  const sections = sectionsOf(await readFile(new URL(`phrases/${language}.txt`, import.meta.url), "utf8"));
  return (section) => {
    const lines = sections.get(section) ?? [];
    const own = [
      ...lines.filter((line) => line.startsWith("=")).map((line) => line.slice(1)),
      ...dealt(lines.filter((line) => !line.startsWith("="))).filter((_, at) => at % 2 === (half === "first" ? 0 : 1)),
    ];
    if (own.length === 0) throw new Error(`${language}: no phrase of the ${half} half in [${section}]`);
    return own;
  };
}

/** In an order that nobody chose. */
function dealt(lines: readonly string[]): string[] {
  const place = (line: string) => createHash("sha256").update(line).digest("hex");
  return lines.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let own: string[] = [];
  for (const line of text.split("\n")) {
    const name = /^\[(?<name>[^\]]+)\]$/u.exec(line)?.groups?.name;
    if (name) {
      own = [];
      sections.set(name, own);
    } else if (line.trim() !== "" && !line.startsWith("#")) own.push(line);
  }
  return sections;
}
