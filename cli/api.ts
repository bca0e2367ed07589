import { readConfig, schema } from "../api/config.ts";
import { createLog } from "../process/log.ts";
import { closeDatabase, createDatabase } from "../storage/database.ts";
import { openStore } from "../storage/open-store.ts";
import type { Command } from "./command.ts";
import { runRole } from "./role.ts";

export const api: Command = {
  usage: "",
  settings: schema,
  run: (_args, environment) =>
    runRole(async () => {
      const settings = readConfig(environment);
      // Loaded here, so that --help and a wrong setting answer at once.
      const { startApi } = await import("../api/server.ts");
      const log = createLog("api", settings.ESCRIBA_LOG_LEVEL);
      const objects = openStore(settings.ESCRIBA_OBJECT_STORE);
      const database = createDatabase(settings.ESCRIBA_DATABASE_URL, {
        maxConnections: settings.ESCRIBA_DATABASE_POOL,
      });
      const running = await startApi(settings, { database, objects, log });
      log.info({ url: running.url, metrics_url: running.metricsUrl }, "serving");
      return {
        ready: { url: running.url, metricsUrl: running.metricsUrl },
        async stop() {
          log.info("draining");
          await running.close();
          await closeDatabase(database);
          log.info("stopped");
        },
      };
    }),
};
