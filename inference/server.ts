import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "../process/log.ts";
import type { Settings } from "./config.ts";
import { createMetrics, type Kind } from "./metrics.ts";
import { Models } from "./models.ts";
import { Routes } from "./routes.ts";

export interface Inference {
  /** Without a slash at the end; OpenAI's base URL is this and `/v1`. */
  url: string;
  /** Resolves when every model is there or was found not to be had for now. */
  fetched: Promise<void>;
  /** `ready`, or why not. */
  models(): Record<Kind, string>;
  /** Process that holds the chat model, if one does. */
  chatPid(): number | undefined;
  /** Refuses new requests, lets running and queued ones finish within the grace, then ends everything. */
  close(): Promise<void>;
}

export interface InferenceOptions {
  log: Logger;
  now?: () => number;
  random?: () => number;
}

/** Longer than clients keep idle connections, so that none is closed just as it is used again. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the OpenAI-compatible server. It listens at once; models are fetched beside it and loaded when first asked. */
export async function startInference(
  settings: Settings,
  { log, now = Date.now, random = Math.random }: InferenceOptions,
): Promise<Inference> {
  const models = new Models(settings, log);
  const metrics = createMetrics({
    chat: { slots: models.chat.slots, residentBytes: () => models.chat.residentBytes },
    embeddings: { slots: models.embeddings.slots, residentBytes: () => models.embeddings.residentBytes },
  });
  const routes = new Routes({ settings, models, metrics, log, now, random });
  const running = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const work = routes.handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, "a request failed");
      response.destroy();
    });
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.ESCRIBA_INFERENCE_PORT, settings.ESCRIBA_INFERENCE_HOST, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    fetched: models.fetch(),
    models: () => models.states,
    chatPid: () => models.chat.pid,
    async close() {
      routes.drain();
      const closed = new Promise((resolve) => server.close(resolve));
      models.stopFetching();
      const late = setTimeout(() => routes.cut(), settings.ESCRIBA_GRACE_SECONDS * 1_000);
      while (running.size > 0) await Promise.all(running);
      clearTimeout(late);
      server.closeAllConnections();
      await Promise.all([closed, models.close()]);
    },
  };
}
