import type { IdempotencyLease } from "../../../storage/idempotency.ts";
import { newEmbeddingId } from "../../../storage/ids.ts";
import type { UpstreamClient } from "../../../upstream/clients.ts";
import { ApiError } from "../../errors/api-error.ts";
import { noUpstream, upstreamError } from "../../errors/upstream.ts";
import { idempotently } from "../../idempotency.ts";
import { MeteredCall } from "../../metered-call.ts";
import { presentEmbeddings } from "../../presenters/embeddings.ts";
import { type Answer, type Call, route } from "../../route.ts";
import {
  DEFAULT_DIMENSIONS,
  type EmbeddingsRequest,
  embeddingsRequest,
  embeddingsResponse,
  MAX_EMBEDDINGS_BYTES,
} from "../../schemas/embeddings.ts";
import type { Services } from "../../services.ts";
import { EMBEDDING_DIMENSIONS, EMBEDDING_WINDOW } from "../model/catalogue.ts";
import { batches, promptBound } from "./batches.ts";
import { embedAll } from "./embed.ts";

export const createEmbeddings = route({
  operation: "createEmbeddings",
  method: "POST",
  path: "/v1/embeddings",
  summary: "Turns texts into vectors. They are returned and nothing more: none is stored or searched.",
  description:
    "Fields that are not listed are discarded. Vectors of different models, or of different `dimensions`, cannot be compared.",
  access: "embeddings:invoke",
  request: { json: embeddingsRequest, maxJsonBytes: MAX_EMBEDDINGS_BYTES, idempotencyKey: "optional" },
  success: { status: 200, description: "A vector for each text", body: embeddingsResponse },
  errors: ["missing_parameter", "invalid_model", "idempotency_key_reused", "insufficient_credit"],
  async handle(call, services) {
    const upstream = services.upstreams.of(call.body.model);
    checkDimensions(call.body.dimensions, upstream?.settings.dimensions ?? EMBEDDING_DIMENSIONS);
    if (call.idempotencyKey === undefined) return (await answer(call, services, upstream, null)) as Answer;
    return idempotently({
      database: services.database,
      scope: { organizationId: call.key.organizationId, route: "POST /v1/embeddings", key: call.idempotencyKey },
      body: call.text,
      run: (lease, lost) => answer(call, services, upstream, { lease, lost }),
      signal: call.signal,
      log: call.log,
    });
  },
});

/** The maximum is the server's, so it is not in the schema. */
function checkDimensions(dimensions: number | undefined, most: number): void {
  if (dimensions === undefined || dimensions <= most) return;
  throw new ApiError("invalid_parameter", {
    param: "dimensions",
    message: `El parámetro «dimensions» no es válido: como máximo ${most}.`,
  });
}

/**
 * Held, embedded, written, charged. Without the lease of an Idempotency-Key the call ends with its client, unbilled; with
 * one it runs on, and the retry finds its answer. Undefined: the lease went to another request.
 */
async function answer(
  { body, key, signal }: Call<unknown, unknown, EmbeddingsRequest>,
  services: Services,
  upstream: UpstreamClient | undefined,
  kept: { lease: IdempotencyLease; lost: AbortSignal } | null,
): Promise<Answer | undefined> {
  if (!upstream) throw noUpstream(body.model);
  const all = batches(typeof body.input === "string" ? [body.input] : body.input, EMBEDDING_WINDOW);
  const metered = await MeteredCall.hold(services, {
    id: newEmbeddingId(),
    organizationId: key.organizationId,
    apiKeyId: key.keyId,
    kind: "embeddings",
    model: body.model,
    promptTokens: promptBound(all, EMBEDDING_WINDOW),
    completionTokens: 0,
  });
  const end = AbortSignal.any([kept ? kept.lost : signal, services.closing]);
  try {
    const { vectors, promptTokens, estimated } = await embedAll(upstream, all, {
      dimensions: body.dimensions ?? DEFAULT_DIMENSIONS,
      native: upstream.settings.native_dimensions,
      window: EMBEDDING_WINDOW,
      signal: end,
    });
    const encoding = body.encoding_format ?? "float";
    const text = await presentEmbeddings({ model: body.model, vectors, promptTokens, encoding });
    end.throwIfAborted();
    const outcome = await metered.settle({
      promptTokens,
      completionTokens: 0,
      estimated,
      idempotency: kept && { lease: kept.lease, response: { status: 200, body: text } },
    });
    return outcome === "idempotency_lost" ? undefined : { status: 200, body: text };
  } catch (error) {
    await metered.release();
    if (kept?.lost.aborted) return undefined;
    if (services.closing.aborted) throw new ApiError("upstream_unavailable", { cause: error });
    throw upstreamError(error, "input");
  }
}
