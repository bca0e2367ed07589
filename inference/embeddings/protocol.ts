/** What the server asks of the process that holds the sentence encoder. */
export interface EmbedCall {
  /** Directory with sentence.onnx and tokenizer.json. */
  directory: string;
  threads: number;
  texts: string[];
}

/** Sent now and then: a sign of life. */
export type EmbedProgress = { alive: true };

export interface EmbedResult {
  /** One vector behind the other, each of length 1. */
  vectors: Float32Array;
  /** Numbers of a vector. */
  width: number;
  /** Tokens of all texts, with the two that the model puts around each. */
  tokens: number;
  residentBytes: number;
}

/** Tokens that one text may have. */
export const MOST_TOKENS = 32_000;

/** Name of the error that a longer text is answered with; its message says which and how long. */
export const TEXT_TOO_LONG = "TextTooLong";
