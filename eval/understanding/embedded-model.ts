import { readConfig } from "../../inference/config.ts";
import { startInference } from "../../inference/server.ts";
import { createLog } from "../../process/log.ts";
import { Registry } from "../../process/metrics.ts";
import { createUnderstandingMetrics } from "../../understanding/metrics.ts";
import { GROUPS } from "../../understanding/types.ts";
import { understandGroup } from "../../understanding/understand.ts";
import { createUpstreams } from "../../upstream/clients.ts";
import type { Ask } from "./injection/injection.ts";

/** The model that `npm start` brings, asked as a transcript asks it. */
export async function embeddedModel({
  patienceMs,
}: {
  patienceMs?: number;
} = {}): Promise<{ ask: Ask; stop(): Promise<void> }> {
  const log = createLog("eval", "silent");
  const settings = readConfig({
    ...{ ESCRIBA_MODELS_DIR: process.env.ESCRIBA_MODELS_DIR, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME },
    ...{ ESCRIBA_INFERENCE_PORT: "0", ESCRIBA_INFERENCE_IDLE_SECONDS: "0" },
  });
  const server = await startInference(settings, { log });
  await server.fetched;
  const registry = new Registry();
  const upstreams = createUpstreams(
    {
      "service-llm-1-small": {
        ...{ url: `${server.url}/v1`, model: "smollm2-135m-instruct" },
        ...{ context_window: settings.ESCRIBA_INFERENCE_WINDOW, structured_output: "json_schema" },
      },
    },
    { log, registry },
  );
  const metrics = createUnderstandingMetrics(registry);
  return {
    ask: (group, call) =>
      understandGroup(
        { call, group, rolesUsable: true, modules: GROUPS[group], request: {} },
        {
          ...{
            client: upstreams.of("service-llm-1-small"),
            signal: new AbortController().signal,
            log,
            metrics,
            patienceMs,
          },
          ...{ random: Math.random, now: () => performance.now() },
        },
      ),
    async stop() {
      await upstreams.close();
      await server.close();
    },
  };
}
