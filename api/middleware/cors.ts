import type { Step } from "./request-context.ts";

const EXPOSED = [
  "Service-Request-Id",
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "Idempotency-Replayed",
  "x-should-retry",
].join(", ");

/** Cross-origin access for one origin, the customer panel (section 5, rule 7). */
export function cors(origin: string): Step {
  return async (context, next) => {
    context.vary("Origin");
    if (context.get("Origin") !== origin) return next();
    context.set("Access-Control-Allow-Origin", origin);
    context.set("Access-Control-Expose-Headers", EXPOSED);
    if (context.method !== "OPTIONS" || context.get("Access-Control-Request-Method") === "") return next();
    context.set("Access-Control-Allow-Methods", "GET, POST, DELETE");
    context.set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key");
    context.set("Access-Control-Max-Age", "600");
    context.status = 204;
  };
}
