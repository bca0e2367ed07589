import { type Dispatcher, fetch } from "undici";
import { ApiError, type KubernetesApi, NoAnswer, type Preconditions, type Scope } from "./api.ts";
import type { Connection } from "./connection.ts";
import { jsonLines } from "./json-lines.ts";
import type { KubernetesObject, ObjectList, Scale, WatchEvent } from "./objects.ts";
import type { Resource } from "./resources.ts";

/** Longest time for a call that answers in one piece; a healthy server takes milliseconds. */
export const CALL_MS = 5_000;
/** Asked of the server for a watch; ours ends it a little later, should the server or the network be silent. */
export const WATCH_SECONDS = 30;
const WATCH_MS = (WATCH_SECONDS + 2) * 1000;

interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | undefined>;
  body?: object;
}

type Response = Awaited<ReturnType<typeof fetch>>;

/**
 * KubernetesApi over HTTP. Objects travel as they are: the client's typed classes drop the fields they do not know, and
 * a pod template may hold some that are newer than they are.
 */
export function httpApi(connection: Connection, callMs = CALL_MS): KubernetesApi {
  const send = async (call: Call, signal: AbortSignal): Promise<Response> => {
    let response = await once(connection, call, signal, false);
    // A token may have been replaced since it was read.
    if (response.status === 401) {
      await response.body?.cancel();
      response = await once(connection, call, signal, true);
    }
    if (!response.ok) throw await refusal(response);
    return response;
  };
  const ask = <T>(call: Call): Promise<T> =>
    answered(call, async () => {
      const response = await send(call, AbortSignal.timeout(callMs));
      return (await response.json()) as T;
    });

  return {
    // Neither resourceVersion nor a limit: a read through a quorum, in one piece.
    async list<T extends KubernetesObject>(resource: Resource<T>, { namespace, labels }: Scope) {
      const call: Call = { method: "GET", path: path(resource, namespace), query: { labelSelector: labels } };
      const list = await ask<{ metadata: { resourceVersion: string }; items: T[] | null }>(call);
      return { resourceVersion: list.metadata.resourceVersion, items: list.items ?? [] } satisfies ObjectList<T>;
    },
    async *watch<T extends KubernetesObject>(
      resource: Resource<T>,
      { namespace, labels, resourceVersion }: Scope & { resourceVersion: string },
      signal: AbortSignal,
    ) {
      const query = {
        watch: "true",
        allowWatchBookmarks: "true",
        timeoutSeconds: String(WATCH_SECONDS),
        labelSelector: labels,
        resourceVersion,
      };
      const call: Call = { method: "GET", path: path(resource, namespace), query };
      const ending = AbortSignal.any([signal, AbortSignal.timeout(WATCH_MS)]);
      try {
        const response = await send(call, ending);
        for await (const event of jsonLines(response.body as AsyncIterable<Uint8Array>)) yield watchEvent<T>(event);
      } catch (error) {
        // Our own end is an end like the server's.
        if (ending.aborted) return;
        throw error instanceof ApiError ? error : noAnswer(call, error);
      }
    },
    get: (resource, namespace, name) => ask({ method: "GET", path: path(resource, namespace, name) }),
    create: (resource, object, { dryRun } = {}) =>
      ask({
        method: "POST",
        path: path(resource, object.metadata.namespace),
        query: { dryRun: dryRun ? "All" : undefined, fieldValidation: dryRun ? "Strict" : undefined },
        body: object,
      }),
    replace: (resource, object) => ask({ method: "PUT", path: pathOf(resource, object), body: object }),
    replaceStatus: (resource, object) =>
      ask({ method: "PUT", path: `${pathOf(resource, object)}/status`, body: object }),
    replaceScale: (resource, scale) =>
      ask<Scale>({ method: "PUT", path: `${pathOf(resource, scale)}/scale`, body: scale }),
    patch: (resource, namespace, name, change) =>
      ask({ method: "PATCH", path: path(resource, namespace, name), body: change }),
    delete: async (resource, namespace, name, preconditions: Preconditions) => {
      const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background", preconditions };
      await ask({ method: "DELETE", path: path(resource, namespace, name), body });
    },
  };
}

async function once(connection: Connection, call: Call, signal: AbortSignal, fresh: boolean): Promise<Response> {
  const { headers, dispatcher } = await connection.credentials(fresh);
  const url = new URL(connection.server + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return fetch(url, {
    method: call.method,
    headers: {
      ...headers,
      accept: "application/json",
      "user-agent": "escriba-operator",
      ...(call.body && {
        "content-type": call.method === "PATCH" ? "application/merge-patch+json" : "application/json",
      }),
    },
    ...(call.body && { body: JSON.stringify(call.body) }),
    dispatcher: dispatcher as Dispatcher,
    signal,
    redirect: "error",
  });
}

/** Everything that is not an answer becomes NoAnswer, with the call's name and the cause. */
async function answered<T>(call: Call, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ApiError ? error : noAnswer(call, error);
  }
}

function noAnswer({ method, path }: Call, error: unknown): NoAnswer {
  const { name, message, cause } = error as Error;
  const why = name === "TimeoutError" ? "no answer in time" : cause instanceof Error ? cause.message : message;
  return new NoAnswer(`${method} ${path}: ${why}`, { cause: error });
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text();
  const seconds = Number(response.headers.get("retry-after"));
  const retryAfter = response.headers.has("retry-after") && Number.isFinite(seconds) ? seconds : null;
  const status = parseStatus(text);
  return new ApiError(
    response.status,
    status?.reason ?? "",
    status?.message || text.slice(0, 300) || `HTTP ${response.status}`,
    retryAfter,
  );
}

/** A `Status` object; a proxy in between may have answered with anything else. */
function parseStatus(text: string): { reason?: string; message?: string } | undefined {
  try {
    const parsed = JSON.parse(text);
    return parsed?.kind === "Status" ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function watchEvent<T extends KubernetesObject>(line: unknown): WatchEvent<T> {
  const { type, object } = line as { type: string; object: { code?: number; reason?: string; message?: string } };
  if (type !== "ERROR") return line as WatchEvent<T>;
  throw new ApiError(object.code ?? 500, object.reason ?? "", object.message ?? "the watch failed");
}

function pathOf(resource: Resource<KubernetesObject>, { metadata }: KubernetesObject): string {
  return path(resource, metadata.namespace, metadata.name);
}

function path({ group, version, plural }: Resource<KubernetesObject>, namespace?: string, name?: string): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${plural}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
}
