import { Tensor } from "onnxruntime-node";
import type { WhisperModel } from "./model.ts";

/** Far below any logit, and still finite, so that softmax over a fully barred row is no NaN. */
export const BARRED = -1e9;

/** A [1, vocabulary] bias for the decoder's last position; zeros where `barred` answers false. */
export function bias(model: WhisperModel, barred: (token: number) => boolean): Tensor {
  const data = new Float32Array(model.shape.vocabulary);
  for (let token = 0; token < data.length; token++) if (barred(token)) data[token] = BARRED;
  return new Tensor("float32", data, [1, data.length]);
}

/** Plain text: no control token, no timestamp. */
export function textBias(model: WhisperModel): Tensor {
  return bias(model, (token) => token > model.tokens.endOfText);
}

/** The first token of plain text, which is neither a space nor the end. */
export function firstTextBias(model: WhisperModel): Tensor {
  const never = new Set(model.tokens.neverFirst);
  return bias(model, (token) => token > model.tokens.endOfText || never.has(token));
}

/** Only these tokens. */
export function onlyBias(model: WhisperModel, tokens: Iterable<number>): Tensor {
  const allowed = new Set(tokens);
  return bias(model, (token) => !allowed.has(token));
}
