import type { ServerResponse } from "node:http";
import * as z from "zod";
import { sendJson } from "../http.ts";
import type { Metrics } from "../metrics.ts";
import type { EmbedEngine } from "./engine.ts";

/** More numbers than the model has are zeros. */
const MOST_DIMENSIONS = 1_024;
const MOST_TEXTS = 2_048;

const text = z.string().min(1, { error: "must not be empty" });

/** What OpenAI's clients send; null is absent, unknown fields are ignored. Token arrays are not understood. */
export const EmbeddingsRequest = z.object({
  model: z.string().min(1),
  input: z.union([text, z.array(text).min(1).max(MOST_TEXTS)]),
  dimensions: z.number().int().min(1).max(MOST_DIMENSIONS).nullish(),
  encoding_format: z.enum(["float", "base64"]).nullish(),
});
export type EmbeddingsRequest = z.output<typeof EmbeddingsRequest>;

/** POST /v1/embeddings, once its body is read. Rejects with RequestError, or the signal's reason. */
export async function answerEmbeddings(
  { input, dimensions, encoding_format: format }: EmbeddingsRequest,
  response: ServerResponse,
  signal: AbortSignal,
  { engine, metrics, model }: { engine: EmbedEngine; metrics: Metrics; model: string },
): Promise<void> {
  const texts = typeof input === "string" ? [input] : input;
  const { vectors, width, tokens } = await engine.embed(texts, signal);
  metrics.tokens.inc({ kind: "embeddings", direction: "prompt" }, tokens);
  sendJson(response, 200, {
    object: "list",
    model,
    data: texts.map((_, index) => {
      const vector = resized(vectors.subarray(index * width, (index + 1) * width), dimensions ?? width);
      return { object: "embedding", index, embedding: format === "base64" ? base64(vector) : Array.from(vector) };
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/**
 * Longer: zeros are added, which leave every cosine as it is. Shorter: cut and brought to length 1 again; the model was
 * not trained to be cut, so this is for trying out programs that ask for it.
 */
export function resized(vector: Float32Array, dimensions: number): Float32Array {
  const result = new Float32Array(dimensions);
  result.set(vector.subarray(0, dimensions));
  if (dimensions >= vector.length) return result;
  const length = Math.hypot(...result) || 1;
  return result.map((value) => value / length);
}

/** Little-endian 32-bit floats, whatever the machine. */
export function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * 4);
  return bytes.toString("base64");
}
