import * as z from "zod";
import { ERRORS, type ErrorCode } from "../../api/errors/table.ts";
import type { Route } from "../../api/route.ts";
import { routes } from "../../api/routes.ts";
import type { Reply } from "./harness.ts";

const errorBody = z.strictObject({
  error: z.strictObject({
    type: z.string(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().min(1),
    param: z.string().nullable(),
    doc_url: z.url(),
    request_id: z.string().regex(/^req_[0-9a-f]{24}$/),
  }),
});

/** Codes that any route with a key may answer. */
const OF_EVERY_KEY: ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "revoked_api_key",
  "missing_scope",
  "rate_limit_exceeded",
  "internal_error",
  "upstream_unavailable",
];

/** Throws unless the reply is one that its route's definition announces, with the headers that all replies have. */
export function expectDocumented(method: string, path: string, reply: Reply): void {
  const id = reply.headers.get("Service-Request-Id");
  if (!id?.startsWith("req_") || reply.headers.get("X-Request-Id") !== id) throw new Error("no request id");
  const route = routeOf(method, path);
  if (reply.status >= 400) {
    if (method === "HEAD") return;
    const { error } = errorBody.parse(reply.body);
    if (error.request_id !== id) throw new Error("request ids differ");
    if (error.type !== ERRORS[error.code].type) throw new Error(`type of ${error.code}`);
    if (reply.status !== 405 && reply.status !== ERRORS[error.code].status) throw new Error(`status of ${error.code}`);
    if (route && ![...OF_EVERY_KEY, ...route.errors].includes(error.code)) {
      throw new Error(`${route.operation} does not announce ${error.code}`);
    }
    return;
  }
  if (!route) return;
  if (reply.status !== route.success.status) throw new Error(`${route.operation} does not announce ${reply.status}`);
  const { body } = route.success;
  if (body instanceof z.ZodType) body.parse(reply.body);
  else if (reply.headers.get("Content-Type") !== body.contentType) throw new Error("content type");
  if (route.access !== "public" && reply.headers.get("X-RateLimit-Remaining") === null) throw new Error("no rate");
}

function routeOf(method: string, path: string): Route | undefined {
  const { pathname } = new URL(path, "http://x");
  return routes.find(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  );
}
