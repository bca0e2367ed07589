import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type * as z from "zod";
import type { Logger } from "../process/log.ts";
import type { Scope } from "../storage/api-keys.ts";
import type { ErrorCode } from "./errors/table.ts";
import type { EventStream } from "./event-stream.ts";
import type { Principal } from "./middleware/authenticate.ts";
import type { Services } from "./services.ts";

/**
 * One route as data: what it is called, who may call it, what it takes, what it answers and which errors it may give.
 * The router runs it (router.ts) and the OpenAPI document is derived from it; nothing about a route is said twice.
 */
export interface Route<Path = unknown, Query = unknown, Body = unknown> {
  /** OpenAPI operationId. */
  operation: string;
  method: "GET" | "POST" | "DELETE";
  /** Template as in OpenAPI: `/v1/files/{id}`. */
  path: `/v1/${string}`;
  summary: string;
  /** What a reader of the API's reference must know besides, in Markdown. */
  description?: string;
  /** `public`: no key at all; `any key`: a valid key, no scope; else the scope that is needed. */
  access: Scope | "public" | "any key";
  request: {
    /** Path parameters; one that does not fit is a resource that does not exist, so 404. */
    path?: z.ZodType<Path>;
    query?: z.ZodType<Query>;
    json?: z.ZodType<Body>;
    /** Most bytes of the JSON body; MAX_JSON_BYTES when absent. */
    maxJsonBytes?: number;
    /** A form whose parts the handler streams itself; the schema is for readers. */
    multipart?: z.ZodType;
    /**
     * `refused`: 400 before the body is read (section 8); `refused with stream`: 400 before a body with `stream` true is
     * looked at further. Absent: the header is not looked at.
     */
    idempotencyKey?: "optional" | "refused" | "refused with stream";
  };
  success: {
    status: number;
    description: string;
    body: z.ZodType | { contentType: string; example?: string };
    /** Where the route may answer `text/event-stream` instead of `body`: the JSON of one event's `data`. */
    events?: z.ZodType;
  };
  /** Codes this route may answer besides those that every route of its kind may (`errorsOf`). */
  errors: readonly ErrorCode[];
  handle(call: Call<Path, Query, Body>, services: Services): Promise<Answer>;
}

/** What any route with a key may answer, in the order of the checks. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "revoked_api_key",
  "missing_scope",
  "rate_limit_exceeded",
  "internal_error",
  "upstream_unavailable",
];

/** What any route with a body may answer: not what was asked for, or too much of it. */
const BODY_ERRORS: readonly ErrorCode[] = ["invalid_parameter", "file_too_large"];

/** Every code that a route may answer. */
export function errorsOf({ access, errors, request }: Pick<Route, "access" | "errors" | "request">): ErrorCode[] {
  const common: readonly ErrorCode[] = access === "public" ? ["internal_error"] : COMMON_ERRORS;
  const ofBody = request.json || request.multipart ? BODY_ERRORS : [];
  return [...new Set([...common, ...ofBody, ...errors])];
}

export function takesIdempotencyKey({ idempotencyKey }: Route["request"]): boolean {
  return idempotencyKey !== undefined && idempotencyKey !== "refused";
}

/** A checked request. `key` is undefined on public routes only. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> {
  requestId: string;
  log: Logger;
  key: Principal;
  path: Path;
  query: Query;
  body: Body;
  /** The JSON body's own text: what must be given back unchanged is cut from it. "" without a body. */
  text: string;
  idempotencyKey: string | undefined;
  /** The raw request and response, for routes that stream their body. */
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** Sent as it is; `contentType` defaults to JSON, and an object is written as JSON. */
  body: object | string | Buffer | Readable | EventStream;
  contentType?: string;
}

/** Keeps the types of a route's schemas for its handler. */
export function route<Path, Query, Body>(definition: Route<Path, Query, Body>): Route {
  return definition as unknown as Route;
}
