import { UpstreamRefused, UpstreamUnavailable } from "../../upstream/errors.ts";
import { ApiError } from "./api-error.ts";

/** What a client hears when the upstream says no. `param` is the field that carries the prompt: `messages` or `input`. */
export function upstreamError(error: unknown, param: string): unknown {
  if (error instanceof UpstreamUnavailable) {
    const retryAfter = error.retryAfterMs === undefined ? RETRY_SECONDS : error.retryAfterMs / 1000;
    return new ApiError("upstream_unavailable", { cause: error, retryAfter });
  }
  if (error instanceof UpstreamRefused) {
    if (error.kind === "context_length") return overTheWindow(param, error);
    // What the upstream says in words is not passed on: it names models and servers that are none of the client's.
    const message = `El modelo no admite el contenido de «${param}».`;
    return new ApiError("invalid_parameter", { param, message, cause: error });
  }
  return error;
}

/** More tokens than the model's window has, by our count or by the upstream's (`cause`). */
export function overTheWindow(param: string, cause?: unknown): ApiError {
  const message = `El parámetro «${param}» no cabe en la ventana de contexto del modelo.`;
  return new ApiError("invalid_parameter", { param, message, cause });
}

export function noUpstream(model: string): ApiError {
  return new ApiError("upstream_unavailable", { cause: new Error(`no upstream is configured for ${model}`) });
}

const RETRY_SECONDS = 5;
