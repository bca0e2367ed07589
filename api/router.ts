import { Readable } from "node:stream";
import Router from "@koa/router";
import type * as z from "zod";
import { ApiError } from "./errors/api-error.ts";
import { parse } from "./errors/validation.ts";
import { EVENT_STREAM_HEADERS, EVENT_STREAM_TYPE, EventStream } from "./event-stream.ts";
import { idempotencyKey, refuseKeyWithStream } from "./idempotency-key.ts";
import { readJson } from "./json-body.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { limitRate } from "./middleware/rate-limit.ts";
import type { Context, RequestState, Step } from "./middleware/request-context.ts";
import { requireScope } from "./middleware/scope.ts";
import type { Answer, Call, Route } from "./route.ts";
import { routes } from "./routes.ts";
import type { Services } from "./services.ts";

/**
 * Every route. The order of checks is that of docs/decisions: key form, key and address, rate, scope, validation; what
 * follows (idempotency, resource, in flight, credit) is the handler's.
 */
export function serveRoutes(services: Services): Step {
  // A router a resource: a request is compared with the few templates of its own, not with all.
  const resources = new Map<string, Step>();
  for (const [name, own] of Map.groupBy(routes, ({ path }) => resourceOf(path))) {
    // A path is the one that is documented, not one that differs in case or ends in a slash.
    const router = new Router<RequestState>({ sensitive: true, strict: true });
    for (const route of own) router.register(koaPath(route.path), [route.method], serve(route, services));
    resources.set(name, router.routes() as Step);
  }
  return (context, next) => resources.get(resourceOf(context.path))?.(context, next) ?? next();
}

/** `/v1/files/{id}` → `/v1/files`; `.srt` behind an id belongs to the id. */
function resourceOf(path: string): string {
  const end = path.indexOf("/", "/v1/".length);
  return end === -1 ? path : path.slice(0, end);
}

/** `/v1/files/{id}` → `/v1/files/:id`. */
function koaPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function serve(route: Route, services: Services): Step {
  return async (context) => {
    const { state } = context;
    state.route = route.path;
    if (route.access !== "public") {
      const key = await authenticate(context, services);
      state.key = key;
      await limitRate(context, key, services);
      requireScope(route.access, key);
    }
    await send(context, await route.handle(await readCall(route.request, context), services));
  };
}

/** Path, header, query, then body: nothing of a body is read for a request that fails before. */
async function readCall(request: Route["request"], context: Context): Promise<Call> {
  const path = request.path && pathParameters(request.path, context.params);
  const key = idempotencyKey(context.headers["idempotency-key"], request.idempotencyKey);
  const query = request.query && parse(request.query, queryParameters(context.querystring));
  const { value, text } = request.json
    ? await readJson(context.req, context.res, request.maxJsonBytes)
    : { value: undefined, text: "" };
  if (request.idempotencyKey === "refused with stream") refuseKeyWithStream(key, value);
  return new CheckedCall(context, {
    path,
    query,
    body: request.json && parse(request.json, value),
    text,
    idempotencyKey: key,
  });
}

/** Logger and signal are the request's, made when they are asked for. */
class CheckedCall implements Call {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  readonly key: Call["key"];
  readonly incoming: Call["incoming"];
  readonly outgoing: Call["outgoing"];
  readonly #state: RequestState;

  constructor(context: Context, checked: Pick<Call, "path" | "query" | "body" | "text" | "idempotencyKey">) {
    this.path = checked.path;
    this.query = checked.query;
    this.body = checked.body;
    this.text = checked.text;
    this.idempotencyKey = checked.idempotencyKey;
    this.key = context.state.key as Call["key"];
    this.incoming = context.req;
    this.outgoing = context.res;
    this.#state = context.state;
  }

  get requestId(): string {
    return this.#state.requestId;
  }

  get log(): Call["log"] {
    return this.#state.log;
  }

  get signal(): AbortSignal {
    return this.#state.signal;
  }
}

/** An id of the wrong form is an id that does not exist. */
function pathParameters(schema: z.ZodType, parameters: unknown): unknown {
  const parsed = schema.safeParse(parameters);
  if (!parsed.success) throw new ApiError("resource_not_found");
  return parsed.data;
}

/** One value a name; a name given twice is an array, which no schema here takes. */
function queryParameters(querystring: string): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  const parameters = new URLSearchParams(querystring);
  for (const name of new Set(parameters.keys())) {
    const all = parameters.getAll(name);
    values[name] = all.length === 1 ? all[0] : all;
  }
  return values;
}

async function send(context: Context, { status, headers, body, contentType }: Answer): Promise<void> {
  context.status = status;
  if (headers) context.set(headers);
  if (body instanceof EventStream) {
    context.set(EVENT_STREAM_HEADERS);
    context.type = EVENT_STREAM_TYPE;
    // Koa would write the body itself, and end what is not ended when this returns.
    context.respond = false;
    await body.write(context.res);
    return;
  }
  const raw = typeof body === "string" || Buffer.isBuffer(body) || body instanceof Readable;
  context.set("Content-Type", contentType ?? "application/json; charset=utf-8");
  context.body = raw ? body : JSON.stringify(body);
}
