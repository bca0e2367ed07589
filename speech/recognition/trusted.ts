import { eld } from "eld/small";
import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";
import {
  AVERAGE_LOGPROB,
  averageLogprob,
  COMPRESSION_RATIO,
  compressionRatio,
  REPETITION,
  repetition,
} from "../whisper/guards.ts";
import type { Heard } from "./family.ts";

/** Speech that no text at all is believed of, seconds. */
const NEVER_SILENT = 1;
/** Letters below which a text says little about its language. */
const ENOUGH_LETTERS = 30;
/** A language that gets this share of the best one's score may be the one that was written. */
const CLOSE = 0.8;

/**
 * Whether a window may stay as a fast family heard it; else Whisper hears it again. The signs of a text gone astray are
 * Whisper's own (guards.ts). The last one is these families': they choose their language by themselves, and Parakeet is
 * known to change it in the middle of a sentence.
 */
export function isTrusted(heard: Heard, spans: readonly Span[], language: string): boolean {
  const { text, tokens, logprob } = heard;
  if (text.trim() === "") return spokenSamples(spans) < NEVER_SILENT * SAMPLE_RATE;
  if (averageLogprob({ logprob, chosen: tokens.length }) < AVERAGE_LOGPROB) return false;
  if (compressionRatio(text) > COMPRESSION_RATIO || repetition(tokens) >= REPETITION) return false;
  return looksLike(text, language);
}

/** False when a text is long enough to tell, and its letters say that it is in another language. */
export function looksLike(text: string, language: string): boolean {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < ENOUGH_LETTERS) return true;
  const found = eld.detect(text);
  if (!found.isReliable() || found.language === language) return true;
  const scores = found.getScores();
  return (scores[language] ?? 0) >= CLOSE * (scores[found.language] as number);
}
