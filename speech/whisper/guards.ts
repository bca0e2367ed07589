import { deflateSync } from "node:zlib";
import type { TokenPath } from "../alignment/attention-path.ts";
import type { Decoded } from "./greedy.ts";

/**
 * Signs that greedy decoding went astray. The first two and their thresholds are Whisper's own (openai/whisper
 * transcribe.py: compression_ratio_threshold 2.4, logprob_threshold -1.0); there they start sampling at a higher
 * temperature, here a deterministic retry, so that a repeat gives the same text.
 */
export type Guard = "compression" | "logprob" | "repetition" | "limit" | "gap" | "rate";

export const COMPRESSION_RATIO = 2.4;
export const AVERAGE_LOGPROB = -1.0;
/**
 * A greedy text less likely than this is searched for by beams as well. Measured on Debian's Asterisk prompts, 29
 * windows of Spanish and 20 of English: beams everywhere take Spanish from 13.9 to 13.1 % of words wrong and English
 * from 2.7 to 2.6, at twice the time; this bound sends 9 of the Spanish windows and none of the English: 13.4 %.
 */
export const UNSURE_LOGPROB = -0.2;
/** What a span alone must come to, to fill a hole in a window's text. */
export const CONVINCING_LOGPROB = -0.5;
/** A text less likely than this after every retry is dropped: noise and hum give -1.5 to -1.8, poor speech -1. */
export const HOPELESS_LOGPROB = -1.5;
/** Tokens one phrase must cover by repeating itself to count as a loop. Spoken digits repeat too, but not this long. */
export const REPETITION = 24;
/** Frames (20 ms) that one token may last. The windows hold speech only, so a longer one means words were left out. */
export const GAP_FRAMES = 250;
/**
 * Words a second of speech. Fast talkers reach 5 over half a minute; short windows may hold a few words that were cut
 * close, so three words are free.
 */
export const WORDS_A_SECOND = 7;
const FREE_WORDS = 3;

/** Guards that this text of so many words trips, none when it looks right. Words are not counted where none are kept apart. */
export function trippedGuards(decoded: Decoded, text: string, path: TokenPath, words = 0): Guard[] {
  const guards: Guard[] = [];
  if (compressionRatio(text) > COMPRESSION_RATIO) guards.push("compression");
  if (averageLogprob(decoded) < AVERAGE_LOGPROB) guards.push("logprob");
  if (decoded.stop === "loop" || repetition(decoded.tokens) >= REPETITION) guards.push("repetition");
  if (decoded.stop === "limit") guards.push("limit");
  if (longestToken(path) > GAP_FRAMES) guards.push("gap");
  if (words > FREE_WORDS + (WORDS_A_SECOND * path.frames) / FRAMES_A_SECOND) guards.push("rate");
  return guards;
}

const FRAMES_A_SECOND = 50;

/** Mean natural-log probability of a token, the end's included. */
export function averageLogprob({ logprob, chosen }: Pick<Decoded, "logprob" | "chosen">): number {
  return logprob / Math.max(1, chosen);
}

function longestToken({ starts, frames }: TokenPath): number {
  return starts.reduce((longest, start, row) => Math.max(longest, (starts[row + 1] ?? frames) - start), 0);
}

/** Bytes of the text over bytes of its zlib form; text that repeats compresses well. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length;
}

/** Tokens that a repeated phrase covers at the very end of the text: 12 for `a b c a b c a b c a b c`. */
export function loopLength(tokens: readonly number[]): number {
  let longest = 0;
  for (let period = 1; period <= LONGEST_PHRASE && period * 2 <= tokens.length; period++) {
    let matched = 0;
    for (let i = tokens.length - 1; i >= period && tokens[i] === tokens[i - period]; i--) matched++;
    if (matched >= period * (REPEATS - 1)) longest = Math.max(longest, matched + period);
  }
  return longest;
}

/** The longest such run anywhere in the text. */
export function repetition(tokens: readonly number[]): number {
  let longest = 0;
  for (let period = 1; period <= LONGEST_PHRASE; period++) {
    let matched = 0;
    for (let i = period; i < tokens.length; i++) {
      matched = tokens[i] === tokens[i - period] ? matched + 1 : 0;
      if (matched >= period * (REPEATS - 1)) longest = Math.max(longest, matched + period);
    }
  }
  return longest;
}

const LONGEST_PHRASE = 16;
/** A phrase said three times is speech; from the fourth on it may be a loop. */
const REPEATS = 4;
