import * as z from "zod";
import { type Route, takesIdempotencyKey } from "../route.ts";

/** Response headers, each once; `header.id` makes it a component of the document. */
function header(id: string, schema: z.ZodType, description: string, example: unknown) {
  return schema.meta({ description, example, header: { id } });
}

const requestId = z.string().regex(/^req_[0-9a-f]{24}$/);
const EXAMPLE_ID = "req_5f0c1d2e3a4b5c6d7e8f9a0b";

const EVERY_ANSWER = {
  "Service-Request-Id": header("ServiceRequestId", requestId, "Names this request in the server's log.", EXAMPLE_ID),
  "X-Request-Id": header("XRequestId", z.string(), "The same as `Service-Request-Id`.", EXAMPLE_ID),
};

const RATE = {
  "X-RateLimit-Limit": header(
    "RateLimitLimit",
    z.int().min(1),
    "Requests that this key may make in any 60 seconds.",
    300,
  ),
  "X-RateLimit-Remaining": header("RateLimitRemaining", z.int().min(0), "Requests left of them.", 299),
  "X-RateLimit-Reset": header(
    "RateLimitReset",
    z.int().min(0),
    "0 while the request is allowed; on 429 the same as `Retry-After`.",
    0,
  ),
};

const retryAfter = z.int().min(1).meta({ description: "Seconds to wait before the next try.", example: 30 });
const replayed = z.literal("true").optional().meta({
  description: "Present when this is the stored answer of an earlier request with the same `Idempotency-Key`.",
});
const shouldRetry = z.literal("false").meta({ description: "Tells SDKs that repeating cannot help." });
const challenge = z.literal("Bearer").meta({ description: "The scheme that is expected." });

/** Of a success; every answer to an authenticated request says how the rate limit stands (section 8). */
export function successHeaders({ access, request }: Route): z.ZodObject {
  return z.object({
    ...EVERY_ANSWER,
    ...(access !== "public" && RATE),
    ...(takesIdempotencyKey(request) && { "Idempotency-Replayed": replayed }),
  });
}

/** Of an error with this status. Before the rate was looked at, or when it could not be, its headers are missing. */
export function errorHeaders(access: Route["access"], status: number): z.ZodObject {
  const rated = access === "public" || status === 401 || status >= 500 ? {} : RATE;
  return z.object({
    ...EVERY_ANSWER,
    // 403 is also said to an address outside the key's list, which comes before the rate.
    ...(status === 403 ? z.object(rated).partial().shape : rated),
    ...(status === 401 && { "WWW-Authenticate": challenge }),
    ...(status === 409 && { "x-should-retry": shouldRetry }),
    ...(status === 429 && { "Retry-After": retryAfter }),
    ...(status === 503 && { "Retry-After": retryAfter.optional() }),
  });
}
