import * as z from "zod";
import { ACTIONS } from "../prompts/insight.ts";
import type { Reader, Reading } from "../reader.ts";
import { inLanguage, supported } from "../sentence.ts";
import type { Results } from "../types.ts";
import { fold, isContent, wordsOf } from "../words.ts";
import { hasPromise } from "./promises.ts";

type Item = Results["action_items"]["items"][number];

const LONGEST_TEXT = 300;
const LONGEST_DETAIL = 80;
const MOST_ITEMS = 50;

const said = z.string().nullish().catch(null);
const answer = z.array(z.union([z.object({ text: z.string(), owner: said, due: said }), z.unknown()]));

export function actionReader(reading: Reading): Reader<Item[], Results["action_items"]> {
  const text = (maxLength: number) => ({ type: "string", maxLength });
  const orNull = { anyOf: [text(LONGEST_DETAIL), { type: "null" }] };
  return {
    field: { name: "action_items", ...ACTIONS },
    schema: {
      type: "array",
      maxItems: 8,
      items: {
        type: "object",
        properties: { text: text(LONGEST_TEXT), owner: orNull, due: orNull },
        required: ["text", "owner", "due"],
        additionalProperties: false,
      },
    },
    tokens: { fixed: 200, each: 0.05 },
    isEmpty: (items) => items.length === 0,
    read(value, lines) {
      const parsed = answer.safeParse(value);
      if (!parsed.success) return null;
      const items = parsed.data.flatMap((item) => itemOf(item, reading));
      if (items.length === 0 && parsed.data.length > 0) return null;
      const here = new Set(lines.map(({ index }) => index));
      const part = reading.firm.utterances.filter((_, index) => here.has(index));
      if (items.length === 0 && hasPromise({ ...reading.firm, utterances: part })) return null;
      return inLanguage(items.map((item) => item.text).join(" "), reading) ? items : null;
    },
    join: (pieces) => ({ items: distinct(pieces.flat()).slice(0, MOST_ITEMS) }),
  };
}

function itemOf(item: unknown, reading: Reading): Item[] {
  const { text: written, owner, due } = (item ?? {}) as Partial<Item>;
  if (typeof written !== "string") return [];
  const text = written.replace(/\s+/gu, " ").trim();
  if (text === "" || text.length > LONGEST_TEXT || !supported(text, reading)) return [];
  return [{ text, owner: asSaid(owner, reading), due: asSaid(due, reading) }];
}

/** Only what somebody said, as they said it; a pronoun names nobody. */
function asSaid(detail: string | null | undefined, { evidence }: Reading): string | null {
  if (typeof detail !== "string" || detail.length > LONGEST_DETAIL) return null;
  const words = wordsOf(detail);
  if (!words.some(({ folded }) => isContent(folded) || /\p{N}/u.test(folded) || folded.length > 2) || isPronoun(detail))
    return null;
  return evidence.find(detail)?.text ?? null;
}

const PRONOUNS = new Set(
  "i me you he she we us they him her them my your yo tu usted ustedes vosotros nosotros nosotras ellos ellas ella mi ti si null none unknown nobody nadie ninguno jo vostè ell ella nosaltres je vous nous elle ils eu voce nos ele ela io lei noi ich sie wir er".split(
    " ",
  ),
);

function isPronoun(text: string): boolean {
  return PRONOUNS.has(fold(text.trim()));
}

function distinct(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter(({ text }) => {
    const key = wordsOf(text)
      .map(({ folded }) => folded)
      .join(" ");
    return !seen.has(key) && seen.add(key);
  });
}
