import type { SpokenWord } from "../alignment/word-times.ts";
import { wordSeparator } from "../languages.ts";
import { FARTHEST, findNearMisses, findSpelled, type NearMiss } from "../terms/near-misses.ts";
import { recase, respell } from "../terms/respell.ts";
import { soundAlikes } from "../terms/sound-alikes.ts";
import { TermTrie } from "../terms/term-trie.ts";
import type { Term } from "../terms/terms.ts";
import type { Piece } from "./attempt.ts";
import type { WhisperModel } from "./model.ts";
import type { Stepper } from "./step.ts";
import { searchTrie } from "./trie-search.ts";

/**
 * Nats that a term may be less likely than what was heard instead of it: this much for a term of LONG sounds or more
 * that sounds the same, where the decoder was in doubt; less for a shorter one, nothing at FARTHEST, and a part of it
 * where the decoder was sure: `no se` is not `Nose`, however alike they sound. From synthesised calls with 64 terms
 * (docs/decisions/custom-vocabulary.md).
 */
const BOOST = 8;
const LONG = 10;
/** Share of the boost where the decoder was certain, at one nat of doubt, and at most: at MUCH_DOUBT. */
const CERTAIN_SHARE = 0.35;
const MOST_SHARE = 1.4;
const MUCH_DOUBT = 4;

/** False for languages whose words are not kept apart: there is no telling where a term would begin. */
export function honoursTerms(language: string): boolean {
  return wordSeparator(language) === " ";
}

/** The words of a piece with the caller's terms in them, spelt as the caller does, and how many of them there are. */
export async function withTerms(
  piece: Piece,
  terms: readonly Term[],
  {
    stepper,
    language,
    hear,
    onStep,
  }: {
    stepper: Stepper;
    language: string;
    /** Encodes the piece's audio into row 0; called when a near miss is to be judged. */
    hear: () => Promise<void>;
    onStep: () => void;
  },
): Promise<{ words: SpokenWord[]; count: number }> {
  const raws = piece.written.map(({ raw }) => raw);
  const changes: Change[] = findSpelled(raws, terms).map(({ from, to, term }) => ({
    from,
    to,
    raws: recase(raws.slice(from, to), term),
  }));
  const certainty = certainties(piece);
  const near = findNearMisses(raws, certainty, terms, { language, affordable: BOOST * MOST_SHARE });
  const doubted = piece.written.map(({ raw, from, to }, i) => ({
    raw,
    certainty: certainty[i] as number,
    doubt: -piece.each.slice(from, to).reduce((sum, logprob) => sum + logprob, 0),
  }));
  for (const { from, to, term } of soundAlikes(near, doubted)) {
    changes.push({ from, to, raws: respell(raws.slice(from, to), term) });
  }
  const open = near.filter(({ from, to }) => !changes.some((change) => change.from < to && from < change.to));
  if (open.length > 0) await hear();
  for (const group of groupBy(open, ({ from }) => from)) {
    const from = (group[0] as NearMiss).from;
    if (changes.some((change) => change.from <= from && from < change.to)) continue;
    const found = await judge(piece, group, { stepper, language, onStep });
    if (found) changes.push({ from, to: found.to, raws: respell(raws.slice(from, found.to), found.term) });
  }
  return { words: apply(piece.words, changes), count: changes.length };
}

/**
 * The term among near misses that begin at one word which the decoder finds likely enough, its boost included. It is
 * asked for the term and for the token after it: a term that takes the place of too much or too little does not go on
 * well.
 */
async function judge(
  piece: Piece,
  group: readonly NearMiss[],
  { stepper, language, onStep }: { stepper: Stepper; language: string; onStep: () => void },
): Promise<NearMiss | null> {
  let best: { miss: NearMiss; gain: number } | null = null;
  const { vocabulary, tokens } = stepper.model;
  for (const sameEnd of groupBy(group, ({ to }) => to)) {
    const { from, to } = sameEnd[0] as NearMiss;
    const core = coreTokens(piece, from, to, vocabulary);
    if (!core || core.end >= piece.each.length) continue;
    const heard = piece.each.slice(core.start, core.end + 1).reduce((sum, logprob) => sum + logprob, 0);
    const boosts = new Map(sameEnd.map(({ term, distance }) => [term, boostOf(term, distance, -heard)]));
    const spelled = await searchTrie(stepper, {
      language,
      before: piece.tokens.slice(0, core.start),
      following: piece.tokens[core.end] ?? tokens.endOfText,
      spaced: core.spaced,
      trie: new TermTrie(boosts.keys()),
      least: heard - Math.max(...boosts.values()),
      onStep,
    });
    for (const { term, logprob } of spelled) {
      const gain = logprob - heard + (boosts.get(term) as number);
      const miss = sameEnd.find((candidate) => candidate.term === term) as NearMiss;
      if (gain >= 0 && (!best || gain > best.gain)) best = { miss, gain };
    }
  }
  return best?.miss ?? null;
}

/** `doubt`: nats that the decoder was away from certainty in what it heard there. */
export function boostOf({ sounds }: Pick<Term, "sounds">, distance: number, doubt: number): number {
  const length = Math.max(0, ...sounds.map((said) => said.length));
  const nearness = 1 - (Math.min(distance, FARTHEST) / FARTHEST) ** 1.5;
  return BOOST * Math.min(1, length / LONG) * nearness * shareOf(doubt);
}

function shareOf(doubt: number): number {
  if (doubt < 1) return CERTAIN_SHARE + (1 - CERTAIN_SHARE) * doubt;
  return 1 + (MOST_SHARE - 1) * Math.min(1, (doubt - 1) / (MUCH_DOUBT - 1));
}

/**
 * Nats that any other token in place of a word's own costs at the least: what one token has of the probability, the
 * others lack. Infinite where the log-probabilities are certain.
 */
function certainties({ written, each }: Piece): number[] {
  return written.map(({ from, to }) =>
    each
      .slice(from, to)
      .reduce((least, logprob) => Math.min(least, logprob - Math.log(-Math.expm1(logprob))), Number.POSITIVE_INFINITY),
  );
}

/** Tokens [start, end) of words [from, to) without the marks around them; null when there is nothing else. */
function coreTokens({ tokens, written }: Piece, from: number, to: number, vocabulary: WhisperModel["vocabulary"]) {
  const bare = (token: number) => vocabulary.text([token]).trim();
  let start = written[from]?.from ?? 0;
  let end = written[to - 1]?.to ?? 0;
  while (start < end && !WRITTEN.test(bare(tokens[start] as number))) start++;
  while (end > start && (!WRITTEN.test(bare(tokens[end - 1] as number)) || bare(tokens[end - 1] as number) === "'s"))
    end--;
  if (start >= end) return null;
  return { start, end, spaced: vocabulary.text([tokens[start] as number]).startsWith(" ") };
}

/** A letter, a digit, or a piece of one: a character cut in two is U+FFFD. */
const WRITTEN = /[\p{L}\p{N}\uFFFD]/u;

interface Change {
  from: number;
  to: number;
  raws: string[];
}

/** New words share the time of those they replace by their length. */
function apply(words: readonly SpokenWord[], changes: readonly Change[]): SpokenWord[] {
  const out: SpokenWord[] = [];
  let next = 0;
  for (const { from, to, raws } of changes.toSorted((a, b) => a.from - b.from)) {
    if (from < next) continue;
    out.push(...words.slice(next, from));
    const replaced = words.slice(from, to);
    if (replaced.length === raws.length) out.push(...replaced.map((word, i) => ({ ...word, raw: raws[i] as string })));
    else out.push(...share(replaced, raws));
    next = to;
  }
  return [...out, ...words.slice(next)];
}

function share(replaced: readonly SpokenWord[], raws: readonly string[]): SpokenWord[] {
  const [start, end] = [(replaced[0] as SpokenWord).start, (replaced.at(-1) as SpokenWord).end];
  const total = raws.reduce((sum, raw) => sum + raw.length, 0);
  let at = 0;
  return raws.map((raw) => {
    const from = start + Math.floor(((end - start) * at) / total);
    at += raw.length;
    return { raw, start: from, end: start + Math.floor(((end - start) * at) / total) };
  });
}

function groupBy<T>(items: readonly T[], key: (item: T) => number): T[][] {
  const groups = new Map<number, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}
