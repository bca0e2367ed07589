import { tokenPath } from "../alignment/attention-path.ts";
import { uncoveredSpans } from "../alignment/uncovered.ts";
import { placeWords, type SpokenWord } from "../alignment/word-times.ts";
import { wordSeparator } from "../languages.ts";
import type { Span } from "../types.ts";
import type { Decoded } from "./greedy.ts";
import { averageLogprob, CONVINCING_LOGPROB, type Guard, trippedGuards } from "./guards.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { splitWords, type TokenWord } from "./words.ts";

/** A stretch of the window and what was decoded of it. */
export interface Piece {
  spans: readonly Span[];
  tokens: readonly number[];
  /** Log-probability of each token, and of the end where it ended by itself. */
  each: readonly number[];
  /** The tokens' words and, one for one, where they were spoken. */
  written: TokenWord[];
  words: SpokenWord[];
}

/** One way of decoding a window, in one piece or in several. */
export interface Attempt {
  pieces: Piece[];
  /** Speech that no word accounts for. */
  uncovered: Span[];
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
  const written = splitWords(decoded.tokens, vocabulary, language);
  const words = placeWords(written, path, spans, audio);
  return {
    pieces: [{ spans, tokens: decoded.tokens, each: decoded.each, written, words }],
    uncovered: uncoveredSpans(words, spans, audio),
    guards: trippedGuards(decoded, vocabulary.text(decoded.tokens), path, wordSeparator(language) ? written.length : 0),
    logprob: decoded.logprob,
    chosen: decoded.chosen,
    generated: decoded.generated,
  };
}

/** Pieces of a window, in order, as one attempt. */
export function joinAttempts(pieces: readonly Attempt[]): Attempt {
  const sum = (count: (piece: Attempt) => number) => pieces.reduce((total, piece) => total + count(piece), 0);
  return {
    pieces: pieces.flatMap((attempt) => attempt.pieces),
    uncovered: pieces.flatMap(({ uncovered }) => uncovered),
    guards: [...new Set(pieces.flatMap(({ guards }) => guards))],
    logprob: sum(({ logprob }) => logprob),
    chosen: sum(({ chosen }) => chosen),
    generated: sum(({ generated }) => generated),
  };
}

/**
 * Whether words found in a span alone may stand where the window's text had none: a text without any fault that the
 * decoder is sure of. Noise and music that passed for speech make it say something too, but less surely.
 */
export function isConvincing(alone: Attempt): boolean {
  return (
    alone.guards.length === 0 &&
    alone.uncovered.length === 0 &&
    averageLogprob(alone) >= CONVINCING_LOGPROB &&
    alone.pieces.some(({ words }) => words.length > 0)
  );
}

/** The attempt with `alone`'s words in place of its own that begin in that span. */
export function withSpan(attempt: Attempt, span: Span, alone: Attempt): Attempt {
  const outside = attempt.pieces.map((piece) => {
    const kept = piece.words.map(({ start }) => start < span.start || start >= span.end);
    // A word before a hole was given the hole's time.
    const words = piece.words.map((word) =>
      word.start < span.start && word.end > span.start ? { ...word, end: span.start } : word,
    );
    return {
      ...piece,
      written: piece.written.filter((_, word) => kept[word]),
      words: words.filter((_, word) => kept[word]),
    };
  });
  return {
    ...attempt,
    pieces: [...outside, ...alone.pieces],
    uncovered: attempt.uncovered.filter(({ start }) => start !== span.start),
  };
}

/** Words of all pieces in the order of their times. */
export function wordsOf({ pieces }: Pick<Attempt, "pieces">): SpokenWord[] {
  return pieces.flatMap(({ words }) => words).sort((a, b) => a.start - b.start);
}

/** The score retries compete by: fewest guards tripped, then fewest spans left out, then the higher mean log-probability, then who came first. */
export function better(a: Attempt, b: Attempt): Attempt {
  if (a.guards.length !== b.guards.length) return a.guards.length < b.guards.length ? a : b;
  if (a.uncovered.length !== b.uncovered.length) return a.uncovered.length < b.uncovered.length ? a : b;
  return averageLogprob(b) > averageLogprob(a) ? b : a;
}
