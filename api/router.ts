import { Readable } from "node:stream";
import createTree, { type HTTPMethod } from "find-my-way";
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

export interface Router {
  /** Serves what a route is for; everything else is the next step's. */
  serve: Step;
  /** Methods that a path has routes for, in order; none for a path that is nobody's. */
  methodsOf(path: string): string[];
}

/**
 * Every route. The order of checks is that of docs/decisions: key form, key and address, rate, scope, validation; what
 * follows (idempotency, resource, in flight, credit) is the handler's.
 */
export function createRouter(services: Services): Router {
  // A radix tree: Koa's own router compares a request with one regular expression after another, which took more than
  // all the checks of a short request. A path is the one that is documented, not one that differs in case or ends in a
  // slash.
  const tree = createTree();
  const handlers = new Map<Route, Handler>();
  for (const route of routes) {
    handlers.set(route, handlerOf(route, services));
    tree.on(methodsOf(route), treePath(route.path), () => undefined, route);
  }
  return {
    serve(context, next) {
      const found = tree.find(context.method as HTTPMethod, decodable(context.path));
      if (!found) return next();
      return handlers.get(found.store)?.(context, found.params);
    },
    methodsOf(path) {
      const found = METHODS.map((method) => ({
        method,
        template: (tree.find(method, decodable(path))?.store as Route)?.path,
      }));
      // `{id}` fits `{id}.srt` too, so only the first template that fits counts (routes.ts).
      const own = routes.find(({ path: template }) => found.some((one) => one.template === template))?.path;
      return found.filter(({ template }) => own !== undefined && template === own).map(({ method }) => method);
    },
  };
}

/** A path that no percent-encoding makes is taken as it stands: an id that does not exist, refused after the same checks. */
function decodable(path: string): string {
  if (!path.includes("%")) return path;
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll("%", "%25");
  }
}

type Parameters = Record<string, string | undefined>;
type Handler = (context: Context, parameters: Parameters) => Promise<void>;

const METHODS = ["DELETE", "GET", "HEAD", "POST"] as const satisfies HTTPMethod[];

/** Whatever can be got can be asked about (RFC 9110, 9.3.2). */
function methodsOf({ method }: Route): HTTPMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** `/v1/files/{id}` → `/v1/files/:id`. */
function treePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function handlerOf(route: Route, services: Services): Handler {
  return async (context, parameters) => {
    const { state } = context;
    state.route = route.path;
    if (route.access !== "public") {
      const key = await authenticate(context, services);
      state.key = key;
      await limitRate(context, key, services);
      requireScope(route.access, key);
    }
    await send(context, await route.handle(await readCall(route.request, context, parameters), services));
  };
}

/** Path, header, query, then body: nothing of a body is read for a request that fails before. */
async function readCall(request: Route["request"], context: Context, parameters: Parameters): Promise<Call> {
  const path = request.path && pathParameters(request.path, parameters);
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
