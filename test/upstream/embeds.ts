import type { Script } from "./double.ts";

/** A vector that only this text has: 32-bit floats, so that base64 gives them back too. */
export function vectorOf(text: string, dimensions = 768): number[] {
  let seed = 7;
  for (let i = 0; i < text.length; i += 1) seed = (Math.imul(seed, 31) + text.charCodeAt(i)) | 0;
  return Array.from({ length: dimensions }, (_, i) => Math.fround(Math.sin(seed + i)));
}

/** What a vLLM-like server answers: a vector for each input in any order, one token a character. */
export function embeds({ counted = true, reversed = true, dimensions = undefined as number | undefined } = {}): Script {
  return ({ body, response }) => {
    const inputs = body.input as string[];
    const data = inputs.map((text, index) => ({
      object: "embedding",
      index,
      embedding: vectorOf(text, dimensions ?? body.dimensions ?? 768),
    }));
    const tokens = inputs.reduce((sum, text) => sum + text.length, 0);
    const usage = counted ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {};
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({ object: "list", model: body.model, data: reversed ? data.reverse() : data, ...usage }),
    );
  };
}
