import * as z from "zod";
import { plainSentiment } from "../polarity.ts";
import { SENTIMENT } from "../prompts/insight.ts";
import type { Reader, Reading } from "../reader.ts";
import type { Line } from "../transcript.ts";
import type { Call, Results, Sentiment } from "../types.ts";

type Judged = Results["sentiment_analysis"]["by_utterance"][number];

interface Piece {
  overall: Sentiment;
  turns: Judged[];
}

const sentiment = z.enum(["positive", "neutral", "negative"]);
const answer = z.object({ overall: sentiment, turns: z.array(z.unknown()) });
const judged = z.object({
  turn: z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number),
  ]),
  sentiment,
});

/**
 * Of the customer alone: turns of the agent are shown without a number and so cannot be named, and whatever the model says
 * of a turn that is not the customer's is dropped. A customer's turn that it does not name is neutral.
 */
export function sentimentReader({ firm, certain }: Reading): Reader<Piece, Results["sentiment_analysis"]> {
  return {
    field: { name: "sentiment_analysis", ...SENTIMENT },
    schema: {
      type: "object",
      properties: {
        overall: { type: "string", enum: ["positive", "neutral", "negative"] },
        turns: {
          type: "array",
          maxItems: 200,
          items: {
            type: "object",
            properties: {
              turn: { type: "integer", minimum: 0 },
              sentiment: { type: "string", enum: ["positive", "negative"] },
            },
            required: ["turn", "sentiment"],
            additionalProperties: false,
          },
        },
      },
      required: ["overall", "turns"],
      additionalProperties: false,
    },
    tokens: { fixed: 60, each: 0.3 },
    concerns: (lines) => customerOf(lines).length > 0,
    read(value, lines, first) {
      const parsed = answer.safeParse(value);
      if (!parsed.success) return null;
      const said = new Map<number, Sentiment>();
      for (const item of parsed.data.turns) {
        const one = judged.safeParse(item);
        if (one.success) said.set(one.data.turn, one.data.sentiment);
      }
      const turns = customerOf(lines).map((index) => ({ index, sentiment: said.get(index) ?? ("neutral" as const) }));
      const { overall } = parsed.data;
      const doubted = first && (denied(overall, turns, lines, certain) || isSoftened(overall, lines, certain));
      return doubted || contradicts(overall, turns) || denied(overall, turns, lines, firm) ? null : { overall, turns };
    },
    join(pieces) {
      const turns = new Map<number, Sentiment>();
      // A turn that was cut in two is what its more telling half is.
      for (const { index, sentiment } of pieces.flatMap((piece) => piece.turns)) {
        if (sentiment !== "neutral" || !turns.has(index)) turns.set(index, sentiment);
      }
      const by_utterance = [...turns].map(([index, sentiment]) => ({ index, sentiment })).toSorted(byIndex);
      return by_utterance.length === 0 ? null : { overall: together(pieces), by_utterance };
    },
  };
}

function customerOf(lines: readonly Line[]): number[] {
  return [...new Set(lines.filter(({ role }) => role === "customer").map(({ index }) => index))];
}

/** All that was judged points one way and the whole the other: the answer does not know what it says. */
function contradicts(overall: Sentiment, turns: readonly Judged[]): boolean {
  const has = (one: Sentiment) => turns.some(({ sentiment }) => sentiment === one);
  return (
    (overall === "positive" && has("negative") && !has("positive")) ||
    (overall === "negative" && has("positive") && !has("negative"))
  );
}

/** Most of the turns that say in plain words how the customer feels are said to be the contrary, or the whole is. */
function denied(overall: Sentiment, turns: readonly Judged[], lines: readonly Line[], firm: Call): boolean {
  const said = new Map(turns.map(({ index, sentiment }) => [index, sentiment]));
  const customer = lines.filter(({ role }) => role === "customer").map(({ index }) => index);
  const plain = [...new Set(customer)].flatMap((index) => {
    // What may be said to a machine tells nothing of how somebody feels.
    const feeling = plainSentiment(firm.utterances[index]?.text ?? "");
    return feeling ? [{ feeling, said: said.get(index) ?? "neutral" }] : [];
  });
  const contrary = plain.filter(({ feeling, said }) => said !== "neutral" && said !== feeling);
  if (contrary.length * 2 > plain.length) return true;
  const feelings = new Set<Sentiment>(plain.map(({ feeling }) => feeling));
  if (overall === "positive" && feelings.size === 0 && HEARD.has(firm.language)) return true;
  if (feelings.size !== 1 || feelings.has(overall)) return false;
  // A customer who complains and nothing else, of whom not one turn is said to be negative either.
  const unheard = feelings.has("negative") && turns.every(({ sentiment }) => sentiment === "neutral");
  return overall !== "neutral" || unheard || plain.length >= TELLING;
}

/** A customer complained in plain words, and is said to be content or without feelings. */
function isSoftened(overall: Sentiment, lines: readonly Line[], certain: Call): boolean {
  if (overall === "negative") return false;
  return customerOf(lines).some((index) => plainSentiment(certain.utterances[index]?.text ?? "") === "negative");
}

/** So many turns that say in plain words how the customer feels, and none the contrary, make no neutral call. */
const TELLING = 2;

/** Languages whose plain words are known; of a happy customer one is heard. */
const HEARD = new Set(["es", "en"]);

/** Of a long call: what most of it is, by turns; the end decides a tie, for there the customer says how it came out. */
function together(pieces: readonly Piece[]): Sentiment {
  const weight = { positive: 0, neutral: 0, negative: 0 };
  for (const { overall, turns } of pieces) weight[overall] += turns.length;
  const most = Math.max(...Object.values(weight));
  return pieces.findLast(({ overall }) => weight[overall] === most)?.overall ?? "neutral";
}

function byIndex(a: Judged, b: Judged): number {
  return a.index - b.index;
}
