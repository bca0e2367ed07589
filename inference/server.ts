import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Logger } from "../process/log.ts";
import { missingBinary } from "./chat/binary.ts";
import { answerChat } from "./chat/completions.ts";
import { ChatEngine } from "./chat/engine.ts";
import { ChatRequest } from "./chat/request.ts";
import { CHAT_MODEL, chatModelName, EMBEDDING_MODEL, modelsDirectory, type Settings, threadsOf } from "./config.ts";
import { answerEmbeddings, EmbeddingsRequest } from "./embeddings/embeddings.ts";
import { EmbedEngine } from "./embeddings/engine.ts";
import { RequestError, unavailable } from "./errors.ts";
import { abortWhenGone, ClientGone, readBody, sendError, sendJson } from "./http.ts";
import { createMetrics, type Kind } from "./metrics.ts";
import { ModelFiles } from "./model-files.ts";

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
  const files = { dir: modelsDirectory(settings), hub: settings.ESCRIBA_MODELS_HUB, offline: settings.ESCRIBA_OFFLINE };
  const chatFiles = settings.ESCRIBA_INFERENCE_GGUF ? undefined : new ModelFiles(CHAT_MODEL, { ...files, log });
  const embedFiles = new ModelFiles(EMBEDDING_MODEL, { ...files, log });
  const shared = {
    threads: threadsOf(settings),
    queue: settings.ESCRIBA_INFERENCE_QUEUE,
    idleMs: settings.ESCRIBA_INFERENCE_IDLE_SECONDS * 1_000,
    log,
  };
  const chat = new ChatEngine({
    ...shared,
    path: () => (chatFiles ? join(chatFiles.directory, "model.gguf") : settings.ESCRIBA_INFERENCE_GGUF),
    window: settings.ESCRIBA_INFERENCE_WINDOW,
    chats: settings.ESCRIBA_INFERENCE_CHATS,
  });
  const embed = new EmbedEngine({ ...shared, directory: () => embedFiles.directory });
  const metrics = createMetrics({
    chat: { slots: chat.slots, residentBytes: () => chat.residentBytes },
    embeddings: { slots: embed.slots, residentBytes: () => embed.residentBytes },
  });
  const names: Record<Kind, string> = { chat: chatModelName(settings), embeddings: EMBEDDING_MODEL };
  const created = Math.floor(now() / 1_000);
  const withoutChat = missingBinary();
  if (withoutChat) log.error({ reason: withoutChat }, "chat is not available");
  const models = () => ({ chat: withoutChat ?? chatFiles?.state ?? "ready", embeddings: embedFiles.state });
  const aborts = new Set<AbortController>();
  let draining = false;

  /** One POST: reads the body, answers, counts. */
  const post = async (
    kind: Kind,
    request: IncomingMessage,
    response: ServerResponse,
    answer: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const seconds = metrics.seconds.startTimer({ kind });
    const abort = abortWhenGone(response);
    aborts.add(abort);
    try {
      if (draining) throw unavailable("the server is stopping", "stopping", 2);
      authorize(request, settings.ESCRIBA_INFERENCE_API_KEY);
      await answer(abort.signal);
      metrics.requests.inc({ kind, status: 200 });
    } catch (error) {
      const failure = asRequestError(error, log);
      metrics.requests.inc({ kind, status: failure?.status ?? 499 });
      if (failure && !response.destroyed) sendError(response, failure);
    } finally {
      aborts.delete(abort);
      seconds();
    }
  };
  const read = <T>(request: IncomingMessage, schema: Parameters<typeof readBody<T>>[1]) =>
    readBody(request, schema, settings.ESCRIBA_INFERENCE_MAX_BODY_BYTES);
  const known = (kind: Kind, model: string) => {
    if (model === names[kind]) return;
    throw new RequestError(404, `no ${kind} model is called ${JSON.stringify(model)}; there is ${names[kind]}`, {
      code: "model_not_found",
      param: "model",
    });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (draining) response.setHeader("Connection", "close");
    const route = `${request.method} ${request.url?.split("?")[0]}`;
    switch (route) {
      case "POST /v1/chat/completions":
        return post("chat", request, response, async (signal) => {
          const body = await read(request, ChatRequest);
          known("chat", body.model);
          await answerChat(body, response, signal, { engine: chat, metrics, model: names.chat, now, random });
        });
      case "POST /v1/embeddings":
        return post("embeddings", request, response, async (signal) => {
          const body = await read(request, EmbeddingsRequest);
          known("embeddings", body.model);
          await answerEmbeddings(body, response, signal, { engine: embed, metrics, model: names.embeddings });
        });
      case "GET /v1/models":
        return sendJson(response, 200, {
          object: "list",
          data: Object.values(names).map((id) => ({ id, object: "model", created, owned_by: "escriba" })),
        });
      case "GET /health": {
        const states = models();
        const ready = !draining && Object.values(states).includes("ready");
        return sendJson(response, ready ? 200 : 503, {
          status: draining ? "stopping" : ready ? "ok" : "waiting",
          models: states,
        });
      }
      case "GET /metrics":
        response.setHeader("Content-Type", metrics.registry.contentType);
        response.end(await metrics.registry.metrics());
        return;
      default:
        sendError(response, new RequestError(404, `there is no ${route}`, { code: "unknown_url" }));
    }
  };

  const running = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const work = handle(request, response).catch((error: unknown) => {
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
    fetched: Promise.all([chatFiles?.fetch(), embedFiles.fetch()]).then(() => undefined),
    models,
    chatPid: () => chat.pid,
    async close() {
      draining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const one of [chatFiles, embedFiles]) one?.stop();
      const late = setTimeout(() => {
        for (const abort of aborts) abort.abort(unavailable("the server is stopping", "stopping", 2));
      }, settings.ESCRIBA_GRACE_SECONDS * 1_000);
      while (running.size > 0) await Promise.all(running);
      clearTimeout(late);
      server.closeAllConnections();
      await Promise.all([closed, chat.close(), embed.close()]);
    },
  };
}

function authorize({ headers }: IncomingMessage, key: string): void {
  if (key === "") return;
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${key}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new RequestError(401, "the API key is missing or wrong", { code: "invalid_api_key" });
}

/** Undefined when nobody is left to hear it. */
function asRequestError(error: unknown, log: Logger): RequestError | undefined {
  if (error instanceof ClientGone) return undefined;
  if (error instanceof RequestError) return error;
  if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return undefined; // while its body was read
  log.error({ err: error }, "a request failed");
  return new RequestError(500, "the server failed; its log says why");
}
