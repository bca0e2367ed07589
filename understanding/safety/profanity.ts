import * as z from "zod";
import { PROFANITY } from "../prompts/safety.ts";
import type { Reader, Reading } from "../reader.ts";
import type { Call, Results } from "../types.ts";
import { fold, isContent, wordsOf } from "../words.ts";
import { profanitiesIn } from "./lexicon.ts";

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
  return {
    field: { name: "profanity_filter", ...PROFANITY },
    schema: { type: "array", maxItems: 20, items: { type: "string", maxLength: 60 } },
    tokens: { fixed: 80, each: 0.02 },
    read(value) {
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
    join(pieces) {
      const spoken = [...call.utterances.flatMap(({ text }) => profanitiesIn(text)), ...pieces.flat()];
      const once = new Map<string, string>();
      for (const term of spoken) if (!once.has(fold(term))) once.set(fold(term), term);
      return { terms: [...once.values()].map((text) => ({ text: mask ? masked(text) : text })) };
    },
  };
}

/** The first letter of each word stays. */
export function masked(term: string): string {
  return term.replace(
    /([\p{L}\p{N}])([\p{L}\p{M}\p{N}]*)/gu,
    (_, first: string, rest: string) => first + "*".repeat([...rest].length),
  );
}
