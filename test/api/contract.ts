import * as z from "zod";
import { ERRORS, type ErrorCode } from "../../api/errors/table.ts";
import { errorHeaders, successHeaders } from "../../api/openapi/headers.ts";
import { errorsOf, type Route } from "../../api/route.ts";
import { routes } from "../../api/routes.ts";
import { errorBody } from "../../api/schemas/error.ts";
import type { Reply } from "./harness.ts";

const anyError = errorBody(Object.keys(ERRORS) as ErrorCode[]);

/**
 * Throws unless the reply is one that its route's definition, and so the OpenAPI document, announces: status, code,
 * body against the schema, headers. Error bodies have one form, and their id is the header's, on every route or none.
 */
export function expectDocumented(method: string, path: string, reply: Reply): void {
  const id = reply.headers.get("Service-Request-Id");
  if (!id?.startsWith("req_") || reply.headers.get("X-Request-Id") !== id) throw new Error("no request id");
  const route = routeOf(method, path);
  if (reply.status >= 400) expectDocumentedError(route, method, reply, id);
  else if (route) expectDocumentedSuccess(route, reply);
}

function expectDocumentedError(route: Route | undefined, method: string, reply: Reply, id: string): void {
  if (method === "HEAD") return;
  const { error } = anyError.parse(reply.body);
  if (error.request_id !== id) throw new Error("request ids differ");
  if (error.type !== ERRORS[error.code].type) throw new Error(`type of ${error.code}`);
  if (!error.doc_url.endsWith(`/errors#${error.code}`)) throw new Error(`doc_url of ${error.code}`);
  if (reply.status !== 405 && reply.status !== ERRORS[error.code].status) throw new Error(`status of ${error.code}`);
  if (!route) return;
  if (!errorsOf(route).includes(error.code)) throw new Error(`${route.operation} does not announce ${error.code}`);
  expectHeaders(route, errorHeaders(route.access, reply.status), reply);
  const rated = reply.headers.get("X-RateLimit-Reset");
  if (reply.status === 429 && rated !== reply.headers.get("Retry-After")) throw new Error("two times to wait");
}

function expectDocumentedSuccess(route: Route, reply: Reply): void {
  const { status, body, events } = route.success;
  if (reply.status !== status) throw new Error(`${route.operation} does not announce ${reply.status}`);
  const type = reply.headers.get("Content-Type") ?? "";
  if (events && type.startsWith("text/event-stream")) {
    for (const [, data = ""] of reply.text.matchAll(/^data: (.*)$/gm))
      if (data !== "[DONE]") events.parse(JSON.parse(data));
  } else if (body instanceof z.ZodType) body.parse(reply.body);
  else if (type !== body.contentType) throw new Error("content type");
  expectHeaders(route, successHeaders(route), reply);
}

/** Every header that is always there is there, and all say what their schemas say. */
function expectHeaders(route: Route, schema: z.ZodObject, { status, headers }: Reply): void {
  for (const [name, value] of Object.entries(schema.shape)) {
    const text = headers.get(name) ?? undefined;
    const parsed = z.safeParse(value, text !== undefined && /^\d+$/.test(text) ? Number(text) : text);
    if (!parsed.success) throw new Error(`${route.operation} ${status}: header ${name} is ${text}`);
  }
}

function routeOf(method: string, path: string): Route | undefined {
  const { pathname } = new URL(path, "http://x");
  return routes.find(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  );
}
