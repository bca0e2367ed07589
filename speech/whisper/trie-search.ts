import type { TermTrie, TriePlace } from "../terms/term-trie.ts";
import type { Term } from "../terms/terms.ts";
import { firstTextBias, textBias } from "./bias.ts";
import { prompt } from "./prompt.ts";
import type { Stepper } from "./step.ts";

/** A term that the decoder can be brought to say. */
export interface Spelled {
  term: Term;
  /** Sum of natural-log probabilities of its tokens and of what follows it. */
  logprob: number;
}

/** Ways of cutting a term into tokens that are followed side by side. */
const PATHS = 4;
/** Likeliest next tokens that are looked at: what is not among them costs more than any boost is worth. */
const TOP = 64;

/**
 * Decoding of row 0 after `before`, in which the tokens that lead along the trie are boosted: by as much as it takes
 * to be chosen, while their log-probabilities together stay above `least`. Answers the terms that came to their end,
 * with the log-probability of `following`, the token that the text goes on with. `spaced`: the first token begins with
 * a space, as words do.
 */
export async function searchTrie(
  stepper: Stepper,
  {
    language,
    before,
    following,
    spaced,
    trie,
    least,
    onStep,
  }: {
    language: string;
    before: readonly number[];
    following: number;
    spaced: boolean;
    trie: TermTrie;
    least: number;
    onStep: () => void;
  },
): Promise<Spelled[]> {
  const { model, self, cross } = stepper;
  const heard = cross.feeds(0, 1);
  const found = new Map<Term, number>();
  let ids = [...prompt(model, language, { timestamps: false }), ...before];
  let paths: Path[] = [{ place: trie.root, logprob: 0 }];
  const rest = textBias(model);
  let bias = before.length === 0 ? firstTextBias(model) : rest;
  self.clear();
  for (let length = 0; paths.length > 0 && length < LONGEST_TERM; length++) {
    const { tokens, logprobs } = await stepper.step(ids, { rows: paths.length, bias, top: TOP, heard });
    onStep();
    const next: (Path & { parent: number; token: number })[] = [];
    for (const [parent, { place, logprob }] of paths.entries()) {
      const ended = length > 0 ? place.node.term : undefined;
      let last = logprob;
      let follows = Number.NaN;
      for (let rank = 0; rank < TOP; rank++) {
        const token = Number(tokens[parent * TOP + rank]);
        last = logprob + (logprobs[parent * TOP + rank] as number);
        if (token === following) follows = last;
        if (last < least) break;
        const bytes = model.vocabulary.bytes(token);
        if (bytes.length === 0) continue;
        const space = bytes[0] === SPACE;
        if (length === 0 && space !== spaced) continue;
        const from = length === 0 && space ? 1 : 0;
        const to = trie.walk(place, bytes, from);
        if (to && (bytes.length > from || length === 0)) next.push({ place: to, logprob: last, parent, token });
      }
      if (!ended) continue;
      // What is not among the likeliest is at most as likely as the last of them.
      const total = Number.isNaN(follows) ? last : follows;
      if (total >= least && total > (found.get(ended) ?? Number.NEGATIVE_INFINITY)) found.set(ended, total);
    }
    next.sort((a, b) => b.logprob - a.logprob || a.parent - b.parent || a.token - b.token);
    paths = next.slice(0, PATHS);
    self.reorder(paths.map((path) => (path as (typeof next)[number]).parent));
    ids = paths.map((path) => (path as (typeof next)[number]).token);
    bias = rest;
  }
  return [...found].map(([term, logprob]) => ({ term, logprob }));
}

interface Path {
  place: TriePlace;
  logprob: number;
}

const SPACE = 0x20;
/** Tokens of a term of 80 characters in a script of three bytes each. */
const LONGEST_TERM = 240;
