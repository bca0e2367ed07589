import * as z from "zod";
import { ENTITIES } from "../prompts/pii.ts";
import { proofOf, type Reader, type Reading } from "../reader.ts";
import type { Line } from "../transcript.ts";
import type { Call } from "../types.ts";
import { fold } from "../words.ts";
import { introducedIn } from "./introductions.ts";
import { join } from "./join.ts";
import { recognise } from "./recognise.ts";
import { merge, type Redaction, redact } from "./redact.ts";
import { type Claim, PII_TYPES, type PiiType } from "./types.ts";

/** Longest claims, words; what is longer is a sentence and no piece of data. An address has the most. */
const MOST_WORDS: Partial<Record<PiiType, number>> & { other: number } = { ADDRESS: 24, other: 16, PERSON: 8 };
/** An answer that takes so much of a part for personal data has not understood the question. */
const MOST_OF_A_PART = 0.5;
/** … judged only where there is enough to judge. */
const JUDGED_CHARACTERS = 400;

interface Piece {
  claims: Claim[];
  /** Of what was said to machines: believed there and nowhere else. */
  suspect: boolean;
}

const answer = z.array(z.object({ type: z.string(), text: z.string() }).catch({ type: "", text: "" }));

/**
 * The model's entities and those that the rules find, as a redaction of `call`. The rules alone never are one: without an
 * answer of the model there is no result.
 */
export function claimReader(reading: Reading, call: Call, suspect: Call | null): Reader<Piece, Redaction> {
  const policy = reading.request.pii_redaction?.policy ?? "entity_name";
  return {
    field: { name: "pii_redaction", shape: ENTITIES.shape, about: ENTITIES.about(PII_TYPES) },
    schema: {
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        properties: { type: { type: "string", enum: PII_TYPES }, text: { type: "string", maxLength: 200 } },
        required: ["type", "text"],
        additionalProperties: false,
      },
    },
    tokens: { fixed: 120, each: 0.35 },
    read(value, lines) {
      const parsed = answer.safeParse(value);
      if (!parsed.success) return null;
      const claims = parsed.data.filter(
        (claim) => isPlausible(claim) && proofOf(reading, lines).find(claim.text) !== null,
      );
      // Whoever makes up more than it finds has not read the call, and what it did not name may be there too.
      if (claims.length * 2 < parsed.data.length || tooMuch(claims, lines)) return null;
      if (misses(claims, introducedIn(lines))) return null;
      return { claims, suspect: lines.some((line) => line.suspect) };
    },
    join(pieces) {
      const claims = (from: boolean) =>
        pieces.filter((piece) => piece.suspect === from).flatMap((piece) => piece.claims);
      const entities = join(call, recognise(call), claims(false));
      const apart = suspect ? join(suspect, [], claims(true)) : [];
      return redact(call, merge([...entities, ...apart]), policy);
    },
  };
}

/** Not one of the names that people gave as theirs. */
function misses(claims: readonly Claim[], names: readonly string[]): boolean {
  const claimed = claims.map(({ text }) => fold(text)).join("\n");
  return (
    names.length > 0 &&
    !names.some((name) =>
      fold(name)
        .split(/\s+/u)
        .some((word) => claimed.includes(word)),
    )
  );
}

function isPlausible({ type, text }: Claim): boolean {
  const most = MOST_WORDS[type as PiiType] ?? MOST_WORDS.other;
  return PII_TYPES.includes(type as PiiType) && text.trim() !== "" && text.trim().split(/\s+/u).length <= most;
}

function tooMuch(claims: readonly Claim[], lines: readonly Line[]): boolean {
  const text = lines.map((line) => line.text.toLowerCase()).join("\n");
  if (text.length < JUDGED_CHARACTERS) return false;
  const distinct = [...new Set(claims.map((claim) => claim.text.trim().toLowerCase()))];
  const claimed = distinct.reduce((sum, claim) => sum + (text.split(claim).length - 1) * claim.length, 0);
  return claimed > text.length * MOST_OF_A_PART;
}
