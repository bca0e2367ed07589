import { createLog } from "../process/log.ts";
import { closeDatabase, createDatabase } from "../storage/database.ts";
import { openStore } from "../storage/open-store.ts";
import { readConfig } from "./config.ts";
import { startApi } from "./server.ts";

/**
 * The `api` role of `escriba`: its parts from the environment. `ready` is what a parent process is told; `stop` drains
 * and closes everything. Throws SettingsError.
 */
export async function startApiRole(env?: Record<string, string | undefined>): Promise<{
  ready: { url: string; metricsUrl: string };
  stop(): Promise<void>;
}> {
  const settings = readConfig(env);
  const log = createLog("api", settings.ESCRIBA_LOG_LEVEL);
  const objects = openStore(settings.ESCRIBA_OBJECT_STORE);
  const database = createDatabase(settings.ESCRIBA_DATABASE_URL, { maxConnections: settings.ESCRIBA_DATABASE_POOL });
  const api = await startApi(settings, { database, objects, log });
  log.info({ url: api.url, metrics_url: api.metricsUrl }, "serving");
  return {
    ready: { url: api.url, metricsUrl: api.metricsUrl },
    async stop() {
      log.info("draining");
      await api.close();
      await closeDatabase(database);
      log.info("stopped");
    },
  };
}
