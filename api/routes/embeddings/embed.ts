import type { UpstreamClient } from "../../../upstream/clients.ts";
import { ApiError } from "../../errors/api-error.ts";
import { Slots } from "../../slots.ts";
import { type Batch, promptBound } from "./batches.ts";

/** Requests of one call that its upstream sees at once; the next callers' come between the rest. */
const AT_ONCE = 4;

/** The part of an upstream's client that embeddings need. */
export interface Embedder {
  embed: UpstreamClient["embed"];
  tokens: Pick<UpstreamClient["tokens"], "count">;
}

export interface Asked {
  dimensions: number;
  /** What the upstream makes unasked, where that is known: models that cannot be cut refuse to be told. */
  native: number | undefined;
  /** Most tokens of an element. */
  window: number;
  signal: AbortSignal;
}

export interface Embedded {
  /** In the order of `input`. */
  vectors: number[][];
  promptTokens: number;
  /** The upstream did not say how many tokens it read, and nothing here could count them. */
  estimated: boolean;
}

/**
 * Asks the upstream for every batch, a few at a time. The first failure ends the others and is thrown: ApiError
 * `invalid_parameter` for an element over `window` tokens, `upstream_unavailable` for vectors other than those asked
 * for, else what the client throws.
 */
export async function embedAll(
  client: Embedder,
  all: readonly Batch[],
  { dimensions, native, window, signal }: Asked,
): Promise<Embedded> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const slots = new Slots(AT_ONCE);
  const ask = async (batch: Batch) => {
    either.throwIfAborted();
    const request = { input: batch.inputs, ...(dimensions === native ? {} : { dimensions }) };
    const answer = await client.embed(request, { signal: either });
    checkVectors(answer.vectors, batch.inputs.length, dimensions);
    const { promptTokens } = answer;
    const { tokens, estimated } =
      promptTokens === null ? await client.tokens.count(batch.inputs) : { tokens: promptTokens, estimated: false };
    // Nobody is refused on an estimate, and it is never over what was held.
    if (estimated) return { ...answer, tokens: Math.min(tokens, promptBound([batch], window)), estimated };
    if (batch.mayExceed && tokens > window) throw inputTooLong(window);
    return { ...answer, tokens, estimated };
  };
  const askOrEndAll = (batch: Batch) =>
    ask(batch).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  const answers = await Promise.all(all.map((batch) => slots.use(() => askOrEndAll(batch))));
  return {
    vectors: answers.flatMap(({ vectors }) => vectors),
    promptTokens: answers.reduce((sum, { tokens }) => sum + tokens, 0),
    estimated: answers.some(({ estimated }) => estimated),
  };
}

function inputTooLong(window: number): ApiError {
  return new ApiError("invalid_parameter", {
    param: "input",
    message: `El parámetro «input» no es válido: cada texto puede tener como máximo ${window} tokens.`,
  });
}

/** Wrong-size vectors are worse than none: a store that mixes them finds nothing (section 2.10). */
function checkVectors(vectors: number[][], count: number, dimensions: number): void {
  const wrong = vectors.find((vector) => vector.length !== dimensions);
  if (vectors.length === count && !wrong) return;
  const got = wrong ? `a vector of ${wrong.length} numbers` : `${vectors.length} vectors`;
  throw new ApiError("upstream_unavailable", {
    cause: new Error(`the embeddings upstream gave ${got}, asked for ${count} of ${dimensions}`),
  });
}
