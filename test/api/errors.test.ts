import test from "ava";
import { ApiError } from "../../api/errors/api-error.ts";
import { asApiError, errorAnswer } from "../../api/errors/body.ts";
import { retryAdvice } from "../../api/errors/retry.ts";
import { ERRORS, type ErrorCode } from "../../api/errors/table.ts";

/** Section 7 as written there, then the two codes of decisions. */
const SPECIFIED: [number, string, string][] = [
  [400, "invalid_request_error", "invalid_parameter"],
  [400, "invalid_request_error", "missing_parameter"],
  [400, "invalid_request_error", "invalid_audio_source"],
  [400, "invalid_request_error", "audio_duration_exceeded"],
  [400, "invalid_request_error", "unsupported_language"],
  [400, "invalid_request_error", "sentiment_scope_not_permitted"],
  [400, "invalid_request_error", "invalid_model"],
  [400, "invalid_request_error", "invalid_webhook_url"],
  [401, "authentication_error", "missing_api_key"],
  [401, "authentication_error", "invalid_api_key"],
  [401, "authentication_error", "revoked_api_key"],
  [401, "authentication_error", "expired_api_key"],
  [402, "insufficient_credit", "insufficient_credit"],
  [402, "insufficient_credit", "spend_cap_reached"],
  [403, "permission_error", "missing_scope"],
  [403, "permission_error", "ip_not_allowed"],
  [404, "not_found_error", "resource_not_found"],
  [409, "conflict_error", "idempotency_key_reused"],
  [413, "payload_too_large", "file_too_large"],
  [415, "unsupported_media_type", "unsupported_audio_format"],
  [422, "unprocessable_audio", "audio_corrupt"],
  [422, "unprocessable_audio", "audio_silent"],
  [422, "unprocessable_audio", "audio_too_short"],
  [429, "rate_limit_error", "rate_limit_exceeded"],
  [429, "rate_limit_error", "concurrency_limit_exceeded"],
  [500, "api_error", "internal_error"],
  [503, "service_unavailable", "upstream_unavailable"],
  [503, "service_unavailable", "queue_saturated"],
  [409, "conflict_error", "transcript_not_completed"],
  [409, "conflict_error", "resource_in_use"],
];

test("the table holds the 28 codes of section 7 and the two of decisions, no other", (t) => {
  t.is(SPECIFIED.length, 30);
  t.deepEqual(Object.keys(ERRORS).sort(), SPECIFIED.map(([, , code]) => code).sort());
  for (const [status, type, code] of SPECIFIED) {
    t.is(ERRORS[code as ErrorCode].status as number, status, code);
    t.is(ERRORS[code as ErrorCode].type as string, type, code);
  }
});

test("an error becomes a body in the one form", (t) => {
  const { status, body } = errorAnswer(
    new ApiError("invalid_parameter", { param: "understanding.sentiment_analysis.scope" }),
    "req_1",
    "https://docs.example",
  );
  t.is(status, 400);
  t.deepEqual(body, {
    error: {
      type: "invalid_request_error",
      code: "invalid_parameter",
      message: ERRORS.invalid_parameter.message,
      param: "understanding.sentiment_analysis.scope",
      doc_url: "https://docs.example/errors#invalid_parameter",
      request_id: "req_1",
    },
  });
});

test("headers: whole seconds of at least 1, the same number twice on 429, no retry on 409", (t) => {
  const headersOf = (error: ApiError) => errorAnswer(error, "req_1", "").headers;
  const limited = headersOf(new ApiError("rate_limit_exceeded", { retryAfter: 0.2 }));
  t.is(limited["Retry-After"], "1");
  t.is(limited["X-RateLimit-Reset"], "1");
  t.is(headersOf(new ApiError("concurrency_limit_exceeded", { retryAfter: 30 }))["X-RateLimit-Reset"], "30");
  t.is(headersOf(new ApiError("idempotency_key_reused"))["x-should-retry"], "false");
  t.is(headersOf(new ApiError("invalid_parameter"))["x-should-retry"], undefined);
});

test("what was not thrown with a code is our fault, except a dependency that does not answer", (t) => {
  const code = (error: unknown) => asApiError(error).code;
  t.is(code(new TypeError("x")), "internal_error");
  t.is(code("text"), "internal_error");
  t.is(code(Object.assign(new Error("x"), { code: "ECONNREFUSED" })), "upstream_unavailable");
  t.is(code(new Error("x", { cause: Object.assign(new Error("y"), { code: "57P01" }) })), "upstream_unavailable");
  t.is(code(new Error("Connection terminated unexpectedly")), "upstream_unavailable");
  t.is(code(Object.assign(new Error("x"), { code: "23505" })), "internal_error");
  t.is(code(new AggregateError([Object.assign(new Error("x"), { code: "ENOSPC" })])), "upstream_unavailable");
});

test("what a client does next goes by the status: 429, 500 and 503 are repeated, 402 stops, the rest is not repeated", (t) => {
  for (const { status } of Object.values(ERRORS)) {
    const advice = retryAdvice(status);
    if ([429, 500, 503].includes(status)) t.regex(advice, /repeat/i);
    else if (status === 402) t.regex(advice, /^Do not repeat; add credit/);
    else if (status === 409) t.regex(advice, /same answer/);
    else t.regex(advice, /^Do not repeat/);
  }
});
