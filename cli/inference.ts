import { readConfig, schema } from "../inference/config.ts";
import { createLog } from "../process/log.ts";
import type { Command } from "./command.ts";
import { runRole } from "./role.ts";

export const inference: Command = {
  usage: "",
  details:
    "Small models for a laptop and small installs, on the CPU: chat and embeddings as an OpenAI client asks for them.",
  settings: schema,
  run: (_args, environment) =>
    runRole(async () => {
      const settings = readConfig(environment);
      // Loaded here, so that --help and a wrong setting answer at once.
      const { startInference } = await import("../inference/server.ts");
      const log = createLog("inference", settings.ESCRIBA_LOG_LEVEL);
      const running = await startInference(settings, { log });
      log.info({ url: running.url }, "serving");
      // What is in the cache is found at once; what is fetched must not keep the server from being there.
      if (settings.ESCRIBA_OFFLINE) await running.fetched;
      return {
        ready: { url: running.url, models: running.models() },
        async stop() {
          log.info("draining");
          await running.close();
          log.info("stopped");
        },
      };
    }),
};
