import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { collectDefaultMetrics, Registry } from "prom-client";

export { Counter, Gauge, Histogram, Registry } from "prom-client";

/** A registry of its own per process (no global state), with Node's default metrics, event-loop delay among them. */
export function createRegistry(process: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 5 });
  return registry;
}

export interface Health {
  /** Rejects when the process cannot do its work now; the message goes to the operator, not to clients. */
  ready(): Promise<void>;
  /** Throws when only a new process helps; without it a process that answers lives. */
  live?(): void;
}

export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

/** What a process answers of its own, as JSON. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** By path, then by method. A handler that throws is answered with 503 and its message: operators read it, no clients. */
export type Routes = Record<`/${string}`, Partial<Record<"GET" | "POST" | "DELETE", Handler>>>;
export type Handler = (request: IncomingMessage) => Answer | Promise<Answer>;

/** `/metrics`, `/livez`, `/readyz` and a process's own routes on a port of their own, apart from what clients reach. */
export async function serveMetrics(
  registry: Registry,
  health: Health,
  listen: { host: string; port: number },
  routes: Routes = {},
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0];
    const route = Object.hasOwn(routes, path ?? "") ? routes[path as keyof Routes] : undefined;
    if (path === "/metrics") {
      response.setHeader("Content-Type", registry.contentType);
      response.end(await registry.metrics());
    } else if (path === "/livez") {
      await say(response, async () => {
        health.live?.();
        response.end("ok\n");
      });
    } else if (path === "/readyz") {
      await say(response, async () => {
        await health.ready();
        response.end("ok\n");
      });
    } else if (route) {
      await say(response, () => serve(route, request, response));
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen.port, listen.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return {
    url: `http://${host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What cannot be done now is a 503 that says why. */
async function say(response: ServerResponse, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    response.statusCode = 503;
    response.end(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

async function serve(
  route: NonNullable<Routes[keyof Routes]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume(); // no route reads a body; one that was sent must not keep the connection
  const handler = Object.hasOwn(route, request.method ?? "") ? route[request.method as keyof typeof route] : undefined;
  if (!handler) {
    response.statusCode = 405;
    response.setHeader("Allow", Object.keys(route).join(", "));
    response.end();
    return;
  }
  const { status, body } = await handler(request);
  response.statusCode = status;
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  response.setHeader("Content-Type", "application/json");
  response.end(body === undefined ? "" : `${JSON.stringify(body)}\n`);
}
