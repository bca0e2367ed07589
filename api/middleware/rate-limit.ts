import { ApiError } from "../errors/api-error.ts";
import type { Services } from "../services.ts";
import type { Principal } from "./authenticate.ts";
import type { Context } from "./request-context.ts";

/**
 * 300 requests in any sliding minute of a key (section 8). Sets the three headers, so every answer to an authenticated
 * request has them. Without the database there is no decision, and so no pass: the error becomes a 503.
 */
export async function limitRate({ res }: Context, key: Principal, { rateLimiter }: Services): Promise<void> {
  const decision = await rateLimiter.take(key.keyId, key.requestsPerMinute);
  res.setHeader("X-RateLimit-Limit", String(decision.limit));
  res.setHeader("X-RateLimit-Remaining", String(decision.remaining));
  res.setHeader("X-RateLimit-Reset", "0");
  if (!decision.allowed) {
    throw new ApiError("rate_limit_exceeded", {
      retryAfter: decision.retryAfterSeconds,
      message: `Se ha superado el límite de ${decision.limit} peticiones por minuto de esta clave.`,
    });
  }
}
