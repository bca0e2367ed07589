import { ApiError } from "./api-error.ts";
import { ERRORS } from "./table.ts";

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

const UNAVAILABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOSPC",
  // Prisma: cannot reach, timed out, connection closed, no connection free, too many connections.
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2037",
]);
/** SQLSTATE classes: 08 connection, 53 insufficient resources, 57 operator intervention (shutdown, cancel). */
const UNAVAILABLE_SQLSTATE = /^(08|53|57)[0-9A-Z]{3}$/;
/** pg and its pool report some lost connections without a code. */
const UNAVAILABLE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && (UNAVAILABLE.has(code) || UNAVAILABLE_SQLSTATE.test(code))) return true;
  if (UNAVAILABLE_TEXT.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isUnavailable(inner, depth + 1))) return true;
  return isUnavailable(error.cause, depth + 1);
}
