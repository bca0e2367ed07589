import { ApiError } from "./api-error.ts";
import { ERRORS } from "./table.ts";
import { isUnavailable } from "./unavailable.ts";

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: {
    error: {
      type: string;
      code: string;
      message: string;
      param: string | null;
      doc_url: string;
      request_id: string;
    };
  };
}

/** The only place where an error becomes a response (section 7). */
export function errorAnswer(error: ApiError, requestId: string, docsUrl: string): ErrorAnswer {
  const headers: Record<string, string> = { ...error.headers };
  if (error.retryAfter !== undefined) {
    headers["Retry-After"] = String(error.retryAfter);
    // Both 429s say the same number twice (docs/decisions).
    if (error.status === 429) headers["X-RateLimit-Reset"] = String(error.retryAfter);
  }
  // The official SDKs retry a 409 unless told not to.
  if (error.status === 409) headers["x-should-retry"] = "false";
  if (error.status === 401) headers["WWW-Authenticate"] = "Bearer";
  return {
    status: error.status,
    headers,
    body: {
      error: {
        type: ERRORS[error.code].type,
        code: error.code,
        message: error.text,
        param: error.param,
        doc_url: `${docsUrl}/errors#${error.code}`,
        request_id: requestId,
      },
    },
  };
}

/** Seconds after which a dependency's absence is worth another try. */
const UPSTREAM_RETRY_SECONDS = 5;

/**
 * Anything that was not thrown with a code: a database that does not answer is a 503, the rest is our fault. Errors
 * of the database mean "cannot serve now", never "not found".
 */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    return new ApiError("upstream_unavailable", { cause: error, retryAfter: UPSTREAM_RETRY_SECONDS });
  }
  return new ApiError("internal_error", { cause: error });
}
