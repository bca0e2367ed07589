import { setImmediate } from "node:timers/promises";
import { writeArray, writeObject } from "./json.ts";

export interface Embeddings {
  model: string;
  /** In the order of `input`. */
  vectors: readonly (readonly number[])[];
  promptTokens: number;
  encoding: "float" | "base64";
}

/**
 * Numbers written at a stretch, about 2 ms: 256 vectors of 768 take 20 to 30 ms as decimals, in which nobody else would
 * be answered.
 */
const NUMBERS_AT_ONCE = 16 * 768;

/**
 * Section 2.10, as JSON text. Decimals are the shortest that give the upstream's numbers back, so nothing is lost;
 * base64 is what the official clients ask for, and rounds to 32-bit floats, which is what models compute in.
 */
export async function presentEmbeddings({ model, vectors, promptTokens, encoding }: Embeddings): Promise<string> {
  const write = encoding === "base64" ? base64 : JSON.stringify;
  const data: string[] = [];
  let written = 0;
  for (const [index, vector] of vectors.entries()) {
    data.push(`{"object":"embedding","index":${index},"embedding":${write(vector)}}`);
    written += vector.length;
    if (written >= NUMBERS_AT_ONCE) {
      written = 0;
      await setImmediate();
    }
  }
  return writeObject({
    object: "list",
    model,
    data: writeArray(data),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  });
}

/** Little-endian on every machine, which a Float32Array's own bytes are not. */
function base64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0; i < vector.length; i += 1) view.setFloat32(i * 4, vector[i] as number, true);
  return `"${bytes.toString("base64")}"`;
}
