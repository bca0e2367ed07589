import { languageToken } from "../languages.ts";
import type { WhisperModel } from "./model.ts";

/** The tokens a transcription starts with. Throws UnsupportedLanguage. */
export function prompt(model: WhisperModel, language: string, { timestamps }: { timestamps: boolean }): number[] {
  const { startOfTranscript, transcribe, noTimestamps } = model.tokens;
  const start = [startOfTranscript, languageNumber(model, language), transcribe];
  return timestamps ? start : [...start, noTimestamps];
}

/** Number of a language's token in this model. */
export function languageNumber(model: WhisperModel, language: string): number {
  const token = languageToken(language);
  const number = model.vocabulary.special(token);
  if (number === undefined) throw new Error(`the model has no token ${token}`);
  return number;
}

/**
 * Tokens a stretch of audio may become: 20 a second and some, which scripts of three bytes a character need, and no
 * more than the decoder's positions leave after the prompt. A loop in a short window ends early by it.
 */
export function tokenLimit(model: WhisperModel, seconds: number): number {
  return Math.min(model.shape.positions - LONGEST_PROMPT, 32 + Math.ceil(seconds * 20));
}

const LONGEST_PROMPT = 4;
