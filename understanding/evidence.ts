import type { Utterance } from "./types.ts";
import { isContent, stem, type Word, wordsOf } from "./words.ts";

/** A place in a call where words stand. */
export interface Found {
  utterance: number;
  /** As the call has it, accents and case too. */
  text: string;
}

/** A call as proof: what a model claims is looked up here. Made once a call. */
export class Evidence {
  readonly #turns: readonly { text: string; words: Word[] }[];
  /** Folded word to the turns that have it. */
  readonly #turnsOf = new Map<string, Set<number>>();
  readonly #stems = new Set<string>();
  readonly #text: string;

  constructor(utterances: readonly Pick<Utterance, "text">[]) {
    this.#turns = utterances.map(({ text }) => ({ text, words: wordsOf(text) }));
    for (const [index, { words }] of this.#turns.entries()) {
      for (const { folded } of words) {
        const turns = this.#turnsOf.get(folded);
        if (turns) turns.add(index);
        else this.#turnsOf.set(folded, new Set([index]));
        this.#stems.add(stem(folded));
      }
    }
    this.#text = utterances.map(({ text }) => text.toLowerCase()).join("\n");
  }

  /** The first place where just these words follow each other in one turn; null when they nowhere do, or are too few. */
  find(claim: string, leastWords = 1): Found | null {
    const wanted = wordsOf(claim).map(({ folded }) => folded);
    const [first, ...rest] = wanted;
    if (first === undefined || wanted.length < leastWords) return null;
    // The rarest word leads to the fewest turns.
    let turns = this.#turnsOf.get(first);
    for (const word of rest) {
      const those = this.#turnsOf.get(word);
      if (!those || !turns || those.size < turns.size) turns = those;
    }
    for (const utterance of turns ?? []) {
      const { text, words } = this.#turns[utterance] as { text: string; words: Word[] };
      for (let at = 0; at + wanted.length <= words.length; at += 1) {
        if (!wanted.every((word, i) => words[at + i]?.folded === word)) continue;
        const [from, to] = [words[at] as Word, words[at + wanted.length - 1] as Word];
        return { utterance, text: text.slice(from.start, to.end) };
      }
    }
    return null;
  }

  hasStem(one: string): boolean {
    return this.#stems.has(one);
  }

  /** Letter for letter, in any case: addresses, links and the like. */
  hasLiteral(text: string): boolean {
    return this.#text.includes(text.toLowerCase());
  }

  /** Share of a sentence's content words whose family occurs in the call, and how many do. */
  support(sentence: string): { known: number; share: number } {
    const words = wordsOf(sentence).filter(({ folded }) => isContent(folded));
    const known = words.filter(({ folded }) => this.#stems.has(stem(folded))).length;
    return { known, share: words.length === 0 ? 0 : known / words.length };
  }
}
