import * as z from "zod";
import type { Found } from "../evidence.ts";
import { isPerhapsOrder } from "../orders.ts";
import { MODERATION } from "../prompts/safety.ts";
import { proofOf, type Reader, type Reading } from "../reader.ts";
import { sentencesOf } from "../sentences.ts";
import { type Call, MODERATION_CATEGORIES, type Results } from "../types.ts";
import { wordsOf } from "../words.ts";
import { threatens } from "./threats.ts";

type Finding = Results["content_moderation"]["findings"][number];

const LONGEST_EXCERPT = 300;
const MOST_FINDINGS = 200;
/** A word alone threatens nobody. */
const LEAST_WORDS = 2;
/** A word that an order names is no threat. */
const LEAST_SUSPECT_WORDS = 3;

const finding = z.object({
  category: z.enum(MODERATION_CATEGORIES),
  severity: z.number().min(0).max(1),
  excerpt: z.string().min(1).max(LONGEST_EXCERPT),
});

/** Every excerpt is shown as the call has it; one that is not in the call falls away with its finding. */
export function moderationReader(reading: Reading): Reader<Finding[], Results["content_moderation"]> {
  return {
    field: { name: "content_moderation", ...MODERATION },
    schema: {
      type: "array",
      maxItems: 8,
      items: {
        type: "object",
        properties: {
          category: { type: "string", enum: MODERATION_CATEGORIES },
          severity: { type: "number", minimum: 0, maximum: 1 },
          excerpt: { type: "string", maxLength: LONGEST_EXCERPT },
        },
        required: ["category", "severity", "excerpt"],
        additionalProperties: false,
      },
    },
    tokens: { fixed: 160, each: 0.05 },
    isEmpty: (findings) => findings.length === 0,
    read(value, lines) {
      const evidence = proofOf(reading, lines);
      const { call } = reading;
      const least = lines.some((line) => line.suspect) ? LEAST_SUSPECT_WORDS : LEAST_WORDS;
      if (!Array.isArray(value)) return null;
      const findings = value.flatMap((item) => {
        const parsed = finding.safeParse(item);
        const found = parsed.success ? evidence.find(parsed.data.excerpt, least) : null;
        if (found && isNamedOnly(found, call)) return [];
        return parsed.success && found
          ? [{ ...parsed.data, severity: rounded(parsed.data.severity), excerpt: found.text }]
          : [];
      });
      if (least === LEAST_SUSPECT_WORDS) return findings;
      if (findings.length === 0 && lines.some(({ text }) => threatens(text))) return null;
      // "Nothing else was found" must not be said by an answer that made most of it up.
      return findings.length * 2 < value.length ? null : findings;
    },
    join: (pieces) => ({ findings: distinct(pieces.flat()).slice(0, MOST_FINDINGS) }),
  };
}

/** A word or two of a sentence that may be said to a machine: named rather than said in anger. */
function isNamedOnly({ utterance, text }: Found, { utterances }: Call): boolean {
  if (wordsOf(text).length >= LEAST_SUSPECT_WORDS) return false;
  const said = sentencesOf(utterances[utterance]?.text ?? "").filter((sentence) => sentence.includes(text));
  return said.length > 0 && said.every(isPerhapsOrder);
}

/** A passage counts once in a category, with its highest severity. */
function distinct(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const one of findings) {
    const key = `${one.category} ${one.excerpt.toLowerCase()}`;
    if ((best.get(key)?.severity ?? -1) < one.severity) best.set(key, one);
  }
  return [...best.values()];
}

function rounded(severity: number): number {
  return Math.round(severity * 1_000) / 1_000;
}
