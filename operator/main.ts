import { randomUUID } from "node:crypto";
import { createLog } from "../process/log.ts";
import { createRegistry, serveMetrics } from "../process/metrics.ts";
import { SettingsError } from "../process/settings.ts";
import { systemClock } from "./clock.ts";
import { operatorConfig } from "./config.ts";
import { type Connection, connect, loadKubeConfig } from "./kubernetes/connection.ts";
import { httpApi } from "./kubernetes/http-api.ts";
import { createOperatorMetrics } from "./metrics.ts";
import { httpDemand } from "./observe/demand.ts";
import { Operator } from "./operator.ts";
import { httpWorker } from "./worker/http-worker.ts";

/** The `operator` role of a process. `ended` rejects when the lease is lost: the process must end, and another leads. */
export async function startOperatorRole(environment: Record<string, string | undefined>): Promise<{
  ready: { metricsUrl: string };
  stop(): Promise<void>;
  ended: Promise<void>;
}> {
  const config = operatorConfig(environment);
  const log = createLog("operator", config.logLevel);
  const connection = open(config.kubeconfig);
  const registry = createRegistry("operator");
  const operator = new Operator({
    api: httpApi(connection),
    worker: httpWorker,
    askDemand: httpDemand,
    clock: systemClock,
    random: Math.random,
    log,
    metrics: createOperatorMetrics(registry),
    namespaces: config.namespaces,
    lease: { ...config.lease, identity: `${config.identity}_${randomUUID().slice(0, 8)}` },
  });
  const health = { ready: () => operator.ready(), live: () => operator.live() };
  const decisions = { GET: () => ({ status: 200, body: { decisions: operator.decisions.lines } }) };
  const listener = await serveMetrics(registry, health, config.metrics, { "/decisions": decisions });
  log.info({ server: connection.server, namespaces: config.namespaces, metrics: listener.url }, "the operator runs");

  const stopping = new AbortController();
  const running = operator.run(stopping.signal);
  return {
    ready: { metricsUrl: listener.url },
    ended: running,
    async stop() {
      stopping.abort();
      try {
        await running;
      } finally {
        await listener.close();
        await connection.close();
      }
    },
  };
}

function open(kubeconfig: string): Connection {
  try {
    return connect(loadKubeConfig(kubeconfig), systemClock);
  } catch (error) {
    throw new SettingsError(`settings are not usable:\n  KUBECONFIG: ${(error as Error).message}`);
  }
}
