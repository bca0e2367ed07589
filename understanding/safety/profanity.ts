import * as z from "zod";
import { PROFANITY, PROFANITY_REVIEW } from "../prompts/safety.ts";
import type { Reader, Reading } from "../reader.ts";
import type { Call, Results } from "../types.ts";
import { fold, isContent, wordsOf } from "../words.ts";
import { perhapsProfane, profanitiesIn } from "./lexicon.ts";

const MOST_WORDS = 4;
const answer = z.array(
  z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text), z.null()]).catch(null),
);

/**
 * What the lexicon finds and what the model finds, each looked up in the call and shown as it stands there, once each.
 * `call` is the whole of it: an order to a machine may swear too.
 */
export function profanityReader(
  { evidence, request }: Reading,
  call: Call,
): Reader<string[], Results["profanity_filter"]> {
  const mask = request.profanity_filter?.policy === "mask";
  const reader: Reader<string[], Results["profanity_filter"]> = {
    field: { name: "profanity_filter", ...PROFANITY },
    schema: { type: "array", maxItems: 20, items: { type: "string", maxLength: 60 } },
    tokens: { fixed: 80, each: 0.02 },
    isEmpty: (terms) => terms.length === 0,
    read(value, lines) {
      // An order names words as it likes; there the lexicon alone is believed.
      if (lines.some((line) => line.suspect)) return Array.isArray(value) ? [] : null;
      const parsed = answer.safeParse(value);
      if (!parsed.success) return null;
      return parsed.data.flatMap((term) => {
        const words = term === null ? [] : wordsOf(term);
        if (
          term === null ||
          words.length > MOST_WORDS ||
          !words.some(({ folded }) => isContent(folded) || folded.length === 3)
        )
          return [];
        const found = evidence.find(term);
        return found ? [found.text] : [];
      });
    },
    review(pieces) {
      // Nobody can have told the model to keep quiet about a word that is asked about all the same.
      const perhaps = call.utterances.flatMap(({ text }) => perhapsProfane(text));
      const unsure = distinct([...pieces.flat(), ...perhaps]).filter((term) => profanitiesIn(term).length === 0);
      return unsure.length === 0 ? null : { text: unsure.join("\n"), reader: { ...reader, ...reviewing(unsure) } };
    },
    join(pieces) {
      const terms = distinct([...call.utterances.flatMap(({ text }) => profanitiesIn(text)), ...pieces.flat()]);
      return { terms: terms.map((text) => ({ text: mask ? masked(text) : text })) };
    },
  };
  return reader;
}

/**
 * A word that only the model takes for a swear word is asked about away from the call: there nobody can have told the
 * model to report it.
 */
function reviewing(unsure: readonly string[]): Pick<Reader<string[], unknown>, "field" | "read" | "tokens"> {
  return {
    field: { name: "profanity_filter", ...PROFANITY_REVIEW },
    tokens: { fixed: 40 + unsure.length * 12, each: 0 },
    read(value) {
      const parsed = answer.safeParse(value);
      const said = new Set((parsed.data ?? []).map((term) => fold(term ?? "")));
      return parsed.success ? unsure.filter((term) => said.has(fold(term))) : null;
    },
  };
}

/** Each term once, as it was spoken first. */
function distinct(terms: readonly string[]): string[] {
  const once = new Map<string, string>();
  for (const term of terms) if (!once.has(fold(term))) once.set(fold(term), term);
  return [...once.values()];
}

/** The first letter of each word stays. */
export function masked(term: string): string {
  return term.replace(
    /([\p{L}\p{N}])([\p{L}\p{M}\p{N}]*)/gu,
    (_, first: string, rest: string) => first + "*".repeat([...rest].length),
  );
}
