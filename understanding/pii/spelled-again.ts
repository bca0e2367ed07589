import type { Element, Turn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** So many letters in a row spell a word. */
const SPELLED = 3;
/** Turns after an address in which some of it is spelled. */
const NEAR = 4;
/** Elements between a word and its spelling: "zapata con zeta de zapato". */
const BETWEEN = 5;

/** A word of an address that is spelled behind it: "ana zapata arroba …, zapata con zeta a pe a te a". */
export function findSpelledAgain(entities: readonly Entity[], turns: readonly Turn[]): Entity[] {
  return entities.flatMap((email) => {
    if (email.type !== "EMAIL") return [];
    const parts = entities.filter(
      ({ type, utterance }) => type === "EMAIL" && Math.abs(utterance - email.utterance) < NEAR,
    );
    const said = lettersOf(
      parts.map((one) => (turns[one.utterance] as Turn).folded.slice(one.start, one.end)).join(""),
    );
    const near = [...turns.keys()].slice(email.utterance, email.utterance + NEAR);
    return near.flatMap((utterance) => {
      const { elements } = turns[utterance] as Turn;
      return chainsOf(elements).flatMap(([from, to]) => {
        const spelled = elements
          .slice(from, to)
          .map((one) => (one.kind === "letters" ? one.text.toLowerCase() : ""))
          .join("");
        if (spelled.length < SPELLED || !said.includes(lettersOf(spelled))) return [];
        const before = elements.slice(Math.max(0, from - BETWEEN - 1), from);
        const word = before.findIndex(
          ({ kind, text }) => kind === "word" && text.length >= SPELLED && said.includes(lettersOf(text)),
        );
        const [first, last] = [word < 0 ? elements[from] : before[word], elements[to - 1]];
        if (!first || !last) return [];
        return [
          { type: "EMAIL", utterance, start: first.start, end: last.end, confidence: 0.6, source: "rule" } as const,
        ];
      });
    });
  });
}

const lettersOf = (text: string) => text.replaceAll("ñ", "n").replaceAll(/[^\p{L}]/gu, "");

/** From where to where letters follow each other, commas aside. */
function chainsOf(elements: readonly Element[]): [from: number, to: number][] {
  const chains: [number, number][] = [];
  let from = -1;
  elements.forEach(({ kind, text }, at) => {
    const own = kind === "letters" || (from >= 0 && kind === "sign" && /^[,.-]$/u.test(text));
    if (own && from < 0) from = at;
    if (from >= 0 && (!own || at === elements.length - 1)) {
      chains.push([from, own ? at + 1 : at]);
      from = -1;
    }
  });
  return chains.map(([start, end]) => {
    let to = end;
    while (to > start && elements[to - 1]?.kind === "sign") to -= 1;
    return [start, to];
  });
}
