import { createRegistry, serveMetrics } from "../process/metrics.ts";
import { createApp } from "./app.ts";
import type { Settings } from "./config.ts";
import { demandRoutes } from "./demand.ts";
import { listen } from "./listener.ts";
import { type ApiParts, createServices } from "./services.ts";
import { sweepScratch } from "./upload/scratch.ts";

export interface RunningApi {
  /** Base URL for clients, without a path. */
  url: string;
  /** `/metrics`, `/livez` and `/readyz`, and `/internal/demand` for the operator. */
  metricsUrl: string;
  /** Not ready from now on; waits for running requests and uploads, at most the configured grace. */
  close(): Promise<void>;
}

/** Starts serving; the parts stay the caller's to close. Rejects when the scratch directory or a port is not to be had. */
export async function startApi(settings: Settings, parts: ApiParts): Promise<RunningApi> {
  await sweepScratch(settings.ESCRIBA_SCRATCH_DIR);
  const registry = createRegistry("api");
  const services = createServices(settings, registry, parts);
  const metrics = await serveMetrics(
    registry,
    { ready: services.ready },
    { host: settings.ESCRIBA_METRICS_HOST, port: settings.ESCRIBA_METRICS_PORT },
    demandRoutes({
      database: parts.database,
      token: settings.ESCRIBA_DEMAND_TOKEN,
      key: settings.ESCRIBA_SECRETS_KEY[0] as Buffer,
      now: parts.clock ?? Date.now,
    }),
  );
  try {
    const listener = await listen(createApp(services).callback(), {
      host: settings.ESCRIBA_API_HOST,
      port: settings.ESCRIBA_API_PORT,
      log: parts.log,
      docsUrl: settings.ESCRIBA_DOCS_URL,
    });
    return {
      url: listener.url,
      metricsUrl: metrics.url,
      async close() {
        services.drain();
        await listener.drain(settings.ESCRIBA_GRACE_SECONDS * 1000, services.end);
        await services.motion.atRest();
        await services.upstreams.close();
        await services.tracer?.close();
        await metrics.close();
      },
    };
  } catch (error) {
    await metrics.close();
    throw error;
  }
}
