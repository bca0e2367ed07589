import type { SpokenWord } from "../alignment/word-times.ts";
import type { Span } from "../types.ts";
import type { FastModel } from "./fast-models.ts";

/** What a family made of one window. */
export interface Heard {
  words: SpokenWord[];
  text: string;
  /** Token numbers of the text, for the guard against loops. */
  tokens: number[];
  /** Sum of natural-log probabilities of the tokens. */
  logprob: number;
}

/**
 * Models that hear faster than Whisper, in the languages they were trained on and no others. They know nothing of
 * language: Whisper has said which one it is before, and what they write is looked at afterwards (trusted.ts).
 */
export interface Family {
  /** Its name in the catalogue of models. */
  readonly model: FastModel;
  /** ISO 639-1 codes. */
  readonly languages: ReadonlySet<string>;
  /**
   * Hears one window. `audio` is its spans end to end, at 16 kHz in [-1, 1), with zeros after the last; nothing of it is
   * kept. `onBeat` is called many times a second.
   */
  hear(spans: readonly Span[], audio: Float32Array, onBeat: () => void): Promise<Heard>;
}
