import { isPerhapsOrder } from "./orders.ts";
import { sentencesOf } from "./sentences.ts";
import type { Call } from "./types.ts";
import { isContent, stem, wordsOf } from "./words.ts";

/** Of so few words that were said, none stands alone among the others. */
const FEW = 2;

/** So many words are a phrase that may have been ordered. */
const STRANDED = 2;

/** Which sentences of a call say a word. */
export class Sources {
  readonly #sentences: { stems: Set<string>; perhaps: boolean }[];
  readonly #saidIn = new Map<string, number[]>();

  constructor({ utterances }: Call) {
    this.#sentences = utterances
      .flatMap(({ text }) => sentencesOf(text))
      .map((text) => ({ stems: new Set(stemsOf(text)), perhaps: isPerhapsOrder(text) }));
    this.#sentences.forEach(({ stems }, index) => {
      for (const one of stems) {
        const before = this.#saidIn.get(one);
        if (before) before.push(index);
        else this.#saidIn.set(one, [index]);
      }
    });
  }

  /**
   * Whether a text has a word or two that stand in it for nothing else that was said: of the one sentence that says them, which may
   * be said to a machine, nothing more is taken up, and the rest is about other things. "The customer has no internet, banana split."
   */
  isStranded(text: string): boolean {
    const stems = new Set(stemsOf(text).filter((one) => this.#saidIn.has(one)));
    if (stems.size <= FEW) return false;
    return [...stems].some((one) => {
      const [only, ...more] = this.#saidIn.get(one) ?? [];
      const sentence = only === undefined || more.length > 0 ? undefined : this.#sentences[only];
      if (!sentence?.perhaps) return false;
      const taken = [...stems].filter((other) => sentence.stems.has(other)).length;
      return taken === 1 || (taken <= STRANDED && stems.size - taken > FEW);
    });
  }
}

/** Words of four letters and more that every sentence may share. */
const GRAMMAR = new Set(
  "that this with from have will what when they them then there were been would could should your their about after before because which into over only just also como para pero esta este esto esos esas porque cuando donde desde hasta sobre todo toda todos tiene haber sido muy mas una los las que ellos sino".split(
    " ",
  ),
);

function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter(({ folded }) => isContent(folded) && !GRAMMAR.has(folded))
    .map(({ folded }) => stem(folded));
}
