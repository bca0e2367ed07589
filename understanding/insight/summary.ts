import * as z from "zod";
import { SUMMARY } from "../prompts/insight.ts";
import type { Reader, Reading } from "../reader.ts";
import { inLanguage, supported, supportedSentences } from "../sentence.ts";
import type { Results } from "../types.ts";

/** Longest texts, characters; what is longer is no summary. */
const LONGEST = { bullets: 2_400, paragraph: 1_600, headline: 160 } as const;
const MOST_BULLETS = 8;
const LONGEST_BULLET = 400;

const oneOrMany = z.union([z.string(), z.array(z.union([z.string(), z.object({ text: z.string() })]))]);

/** A piece is the lines of a summary: bullets, or one. */
export function summaryReader(reading: Reading): Reader<string[], Results["summarization"]> {
  const { format = "bullets", context } = reading.request.summarization ?? {};
  const { shape, about } = SUMMARY[format];
  return {
    field: {
      name: "summarization",
      shape,
      about: context ? `${about} ${SUMMARY.context(oneLine(context))}` : about,
    },
    schema:
      format === "bullets"
        ? { type: "array", maxItems: 6, items: { type: "string", maxLength: LONGEST_BULLET } }
        : { type: "string", maxLength: LONGEST[format] },
    tokens: { fixed: format === "headline" ? 60 : 360, each: 0 },
    read(value, _, first) {
      const parsed = oneOrMany.safeParse(value);
      if (!parsed.success) return null;
      const texts = typeof parsed.data === "string" ? parsed.data.split("\n") : parsed.data.map(textOf);
      const lines = texts.map(unmarked).filter((line) => line !== "");
      if (first && lines.some((line) => reading.sources.isStranded(line))) return null;
      const kept = format === "bullets" ? bullets(lines, reading) : whole(lines.join(" "), format, reading);
      return kept.length > 0 && inLanguage(kept.join(" "), reading) ? kept : null;
    },
    join: ([piece]) => (piece ? { text: piece.join("\n") } : null),
    note: (piece) => piece.join(" "),
  };
}

function bullets(lines: readonly string[], reading: Reading): string[] {
  const kept = lines.filter((line) => line.length <= LONGEST_BULLET && supported(line, reading));
  return [...new Set(kept)].slice(0, MOST_BULLETS);
}

function whole(text: string, format: "paragraph" | "headline", reading: Reading): string[] {
  const sentences =
    format === "headline" ? [text].filter((one) => supported(one, reading)) : supportedSentences(text, reading);
  const kept = [...new Set(sentences)].join(" ");
  return kept !== "" && kept.length <= LONGEST[format] ? [format === "headline" ? kept.replace(/\.$/u, "") : kept] : [];
}

/** Without the bullet or number that a model puts before it. */
function unmarked(line: string): string {
  return line
    .replace(/^\s*(?:[-–•*·▪]|\(?\d{1,2}[.)])\s+/u, "")
    .replace(/\s+/gu, " ")
    .trim();
}

function textOf(item: string | { text: string }): string {
  return typeof item === "string" ? item : item.text;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}
