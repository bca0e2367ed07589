import { parseJson, usageOf } from "./chunk.ts";
import { UpstreamBroken, UpstreamUnavailable } from "./errors.ts";
import type { Timing } from "./timing.ts";
import type { Begun } from "./transport.ts";

export interface EmbedRequest {
  input: readonly string[];
  /** Asked of the upstream only when given: most servers refuse it for models that cannot be cut. */
  dimensions?: number;
}

export interface Embeddings {
  /** In the order of the input, of whatever length the upstream makes them. */
  vectors: number[][];
  /** Null where the upstream does not say. */
  promptTokens: number | null;
}

/** Reads and checks a whole answer. Rejects with UpstreamUnavailable for anything else than a vector for each input. */
export async function readEmbeddings(
  { reply, first }: Begun,
  count: number,
  { timing, signal }: { timing: Timing; signal: AbortSignal },
): Promise<Embeddings> {
  const parts = [first];
  let size = first.length;
  try {
    for (;;) {
      reply.watch(timing.silenceMs);
      const part = await reply.read();
      if (part === null) break;
      parts.push(part);
      size += part.length;
      if (size > timing.maxAnswerBytes) throw new RangeError("the answer is too long");
    }
    reply.finish();
    return parseEmbeddings(Buffer.concat(parts).toString("utf8"), count);
  } catch (error) {
    reply.destroy();
    if (signal.aborted) throw signal.reason;
    const garbage = error instanceof SyntaxError || error instanceof RangeError;
    const reason = garbage ? "not_an_answer" : error instanceof UpstreamBroken ? error.reason : "closed";
    throw new UpstreamUnavailable(reason, { cause: error });
  }
}

interface WireEmbeddings {
  data?: { index?: unknown; embedding?: unknown }[];
  usage?: { prompt_tokens?: unknown } | null;
}

function parseEmbeddings(text: string, count: number): Embeddings {
  const { data, usage } = parseJson(text) as WireEmbeddings;
  if (!Array.isArray(data) || data.length !== count) throw new SyntaxError(`not ${count} vectors`);
  const vectors: number[][] = new Array(count);
  data.forEach((item, position) => {
    const { index = position, embedding } = item;
    const place = typeof index === "number" && Number.isInteger(index) && index >= 0 && index < count ? index : null;
    if (place === null || vectors[place]) throw new SyntaxError("the indexes are not those of the input");
    if (!Array.isArray(embedding) || embedding.length === 0 || !embedding.every(Number.isFinite)) {
      throw new SyntaxError("not a vector of numbers");
    }
    vectors[place] = embedding;
  });
  return { vectors, promptTokens: usageOf(usage)?.promptTokens ?? null };
}
