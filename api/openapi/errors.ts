import type * as z from "zod";
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { ApiError } from "../errors/api-error.ts";
import { errorAnswer } from "../errors/body.ts";
import { ERRORS, type ErrorCode } from "../errors/table.ts";
import { COMMON_ERRORS, errorsOf, type Route } from "../route.ts";
import { errorBody } from "../schemas/error.ts";
import { errorHeaders } from "./headers.ts";

/** Statuses whose codes are the same on every route with a key, as components. */
const COMMON_NAMES: Record<number, string> = {
  401: "Unauthenticated",
  403: "Forbidden",
  429: "RateLimited",
  500: "InternalError",
  503: "Unavailable",
};

/** One response a status, naming each code that the route may give with it and showing its body. */
export function errorResponses(docsUrl: string): (route: Route) => ZodOpenApiResponsesObject {
  const common = new Map<string, ZodOpenApiResponseObject>();
  return (route) => {
    const responses: ZodOpenApiResponsesObject = {};
    const byStatus = Map.groupBy(errorsOf(route), (code) => ERRORS[code].status);
    for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
      const isCommon = route.access !== "public" && codes.every((code) => COMMON_ERRORS.includes(code));
      const name = isCommon ? COMMON_NAMES[status] : undefined;
      const known = name === undefined ? undefined : common.get(name);
      const response = known ?? errorResponse(route.access, status, codes, docsUrl);
      if (name !== undefined && !known) common.set(name, Object.assign(response, { id: name }));
      responses[`${status as 400}`] = response;
    }
    return responses;
  };
}

function errorResponse(
  access: Route["access"],
  status: number,
  codes: readonly ErrorCode[],
  docsUrl: string,
): ZodOpenApiResponseObject {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { summary: ERRORS[code].internal, value: example(code, docsUrl) }]),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].internal}.`).join("\n\n"),
    headers: errorHeaders(access, status),
    content: { "application/json": { schema: errorBody(codes), examples } },
  };
}

/** The very body that a client would get. */
function example(code: ErrorCode, docsUrl: string): z.output<ReturnType<typeof errorBody>> {
  const error = new ApiError(code, { param: PARAMS[code] ?? null });
  return errorBody([code]).parse(errorAnswer(error, "req_5f0c1d2e3a4b5c6d7e8f9a0b", docsUrl).body);
}

const PARAMS: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: "language_hints.2",
  missing_parameter: "model",
  unsupported_language: "language",
  sentiment_scope_not_permitted: "understanding.sentiment_analysis.scope",
  invalid_model: "model",
  invalid_webhook_url: "url",
  audio_duration_exceeded: "file_id",
  unsupported_audio_format: "file",
  missing_scope: "transcripts:write",
  idempotency_key_reused: "Idempotency-Key",
};
