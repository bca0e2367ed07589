import { createLog } from "../process/log.ts";
import { workerConfig } from "./config.ts";
import { installRuntime } from "./runtime.ts";
import { startWorker } from "./worker.ts";

/** The `worker` role of a process: `ready` is told to whoever started it, `stop` drains. */
export async function startWorkerRole(environment: Record<string, string | undefined>): Promise<{
  ready: { metricsUrl: string };
  stop(): Promise<void>;
  ended: Promise<void>;
}> {
  const config = workerConfig(environment);
  const log = createLog("worker", config.logLevel);
  installRuntime(log);
  const { metricsUrl, drain, ended } = await startWorker(config, log);
  return { ready: { metricsUrl }, stop: drain, ended };
}
