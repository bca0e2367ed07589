import { tokenPath } from "../alignment/attention-path.ts";
import { placeWords, type SpokenWord } from "../alignment/word-times.ts";
import type { Span } from "../types.ts";
import type { Decoded } from "./greedy.ts";
import { averageLogprob, type Guard, trippedGuards } from "./guards.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

/** One way of decoding a window, in one piece or in several. */
export interface Attempt {
  words: SpokenWord[];
  /** Signs that it went astray, of any piece. */
  guards: Guard[];
  logprob: number;
  /** Tokens whose log-probabilities `logprob` sums. */
  chosen: number;
  generated: number;
}

/** Judges a text and places its words. `audio` is what was decoded: the spans end to end. */
export function attempt(
  decoded: Decoded,
  {
    vocabulary,
    language,
    spans,
    audio,
  }: { vocabulary: Vocabulary; language: string; spans: readonly Span[]; audio: Float32Array },
): Attempt {
  const path = tokenPath(decoded.attention);
  return {
    words: placeWords(splitWords(decoded.tokens, vocabulary, language), path, spans, audio),
    guards: trippedGuards(decoded, vocabulary.text(decoded.tokens), path),
    logprob: decoded.logprob,
    chosen: decoded.chosen,
    generated: decoded.generated,
  };
}

/** Pieces of a window, in order, as one attempt. */
export function joinAttempts(pieces: readonly Attempt[]): Attempt {
  const sum = (count: (piece: Attempt) => number) => pieces.reduce((total, piece) => total + count(piece), 0);
  return {
    words: pieces.flatMap(({ words }) => words),
    guards: [...new Set(pieces.flatMap(({ guards }) => guards))],
    logprob: sum(({ logprob }) => logprob),
    chosen: sum(({ chosen }) => chosen),
    generated: sum(({ generated }) => generated),
  };
}

/** The score retries compete by: fewest guards tripped, then the higher mean log-probability, then who came first. */
export function better(a: Attempt, b: Attempt): Attempt {
  if (a.guards.length !== b.guards.length) return a.guards.length < b.guards.length ? a : b;
  return averageLogprob(b) > averageLogprob(a) ? b : a;
}
