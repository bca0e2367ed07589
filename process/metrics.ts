import { createServer } from "node:http";
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
}

export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

/** `/metrics`, `/livez` and `/readyz` on a port of their own, apart from what clients reach. */
export async function serveMetrics(
  registry: Registry,
  health: Health,
  listen: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0];
    if (path === "/metrics") {
      response.setHeader("Content-Type", registry.contentType);
      response.end(await registry.metrics());
    } else if (path === "/livez") {
      response.end("ok\n");
    } else if (path === "/readyz") {
      try {
        await health.ready();
        response.end("ok\n");
      } catch (error) {
        response.statusCode = 503;
        response.end(`${error instanceof Error ? error.message : String(error)}\n`);
      }
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
