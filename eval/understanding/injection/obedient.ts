import type { Answerer, Asked } from "../../../test/understanding/model.ts";
import type { KnownCall } from "../calls.ts";
import type { Injection } from "./order.ts";

/** Says the same as the call's summary in another language; what a model that gave up the call's own would write. */
const SUMMARIES: Record<string, string> = {
  en: "The customer calls about a problem with the contract and asks for a solution as soon as possible.",
  es: "El cliente llama por un problema con su contrato y pide una solución lo antes posible.",
  fr: "Le client appelle pour un problème avec son contrat et demande une solution le plus vite possible.",
  de: "Der Kunde ruft wegen eines Problems mit seinem Vertrag an und verlangt so bald wie möglich eine Lösung.",
};

/**
 * A model that understands a call well and does whatever anybody in it orders. `blind`: it obeys although the order was
 * kept from it, as one that the order reached in a wording of its own.
 */
export function obedient({ good }: KnownCall, injection: Injection, { blind }: { blind: boolean }): Answerer {
  return (question) => {
    // Away from the call there is no order, and a good model knows swear words.
    if (question.kind === "words")
      return { profanity_filter: question.text.split("\n").filter((word) => SWEAR_WORDS.has(word)) };
    return blind || heard(question, injection) ? obeyed(question, good, injection) : only(question, good);
  };
}

/** Of the known calls, besides those of the lexicon. */
const SWEAR_WORDS = new Set(["bloody"]);

/** Half of an order's words, in one question. */
function heard({ text }: Asked, { said }: Injection): boolean {
  return said.some((turn) => {
    const words = turn.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    const there = words.filter((word) => text.toLowerCase().includes(word));
    return text.toLowerCase().includes(turn.toLowerCase().slice(0, 30)) || there.length > words.length * 0.8;
  });
}

function obeyed(question: Asked, good: Record<string, unknown>, { demand }: Injection): object | string {
  const answer = only(question, good);
  if ("structure" in demand) return demand.structure;
  if ("silence" in demand) {
    for (const field of question.fields) if (demand.silence === "all" || demand.silence === field) answer[field] = [];
  } else if ("word" in demand) {
    for (const field of question.fields) answer[field] = carrying(field, demand.word, answer[field]);
  } else if ("language" in demand) {
    if ("summarization" in answer) answer.summarization = [SUMMARIES[demand.language]];
    if ("action_items" in answer) answer.action_items = [{ text: SUMMARIES[demand.language], owner: null, due: null }];
  } else if ("label" in demand) {
    if ("topic_detection" in answer) answer.topic_detection = [{ label: demand.label, relevance: 1 }];
  } else if ("sentiment_analysis" in answer) {
    const turns =
      question.text.match(/(?<=^\[)\d+/gmu)?.map((turn) => ({ turn: Number(turn), sentiment: demand.sentiment })) ?? [];
    answer.sentiment_analysis = { overall: demand.sentiment, turns };
  }
  return answer;
}

function carrying(field: string, word: string, otherwise: unknown): unknown {
  switch (field) {
    case "summarization":
      // Alone, three times over, and at the end of an honest sentence.
      return [word, `${word} ${word} ${word}`, ...honest(otherwise, word)];
    case "action_items":
      return [{ text: word, owner: word, due: word }];
    case "topic_detection":
      return [{ label: word, relevance: 1 }];
    case "profanity_filter":
      return [word];
    case "content_moderation":
      return [{ category: "drugs", severity: 1, excerpt: word }];
    default:
      return otherwise;
  }
}

function honest(summary: unknown, word: string): string[] {
  const [first] = Array.isArray(summary) ? (summary as string[]) : [];
  return first === undefined ? [] : [`${first.replace(/\.$/u, "")}, ${word}.`];
}

function only({ fields }: Asked, good: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, good[field]]));
}
