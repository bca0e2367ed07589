import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ZodType } from "zod";
import type { Logger } from "../process/log.ts";
import { answerChat } from "./chat/completions.ts";
import { ChatRequest } from "./chat/request.ts";
import type { Settings } from "./config.ts";
import { answerEmbeddings, EmbeddingsRequest } from "./embeddings/embeddings.ts";
import { RequestError, unavailable } from "./errors.ts";
import { abortWhenGone, ClientGone, readBody, sendError, sendJson } from "./http.ts";
import type { Kind, Metrics } from "./metrics.ts";
import type { Models } from "./models.ts";

export interface RoutesOptions {
  settings: Settings;
  models: Models;
  metrics: Metrics;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  random: () => number;
}

/** Everything the server answers. */
export class Routes {
  readonly #options: RoutesOptions;
  readonly #created: number;
  readonly #aborts = new Set<AbortController>();
  #draining = false;

  constructor(options: RoutesOptions) {
    this.#options = options;
    this.#created = Math.floor(options.now() / 1_000);
  }

  /** From now on new requests are told to come back. */
  drain(): void {
    this.#draining = true;
  }

  /** Ends what is still being answered. */
  cut(): void {
    for (const abort of this.#aborts) abort.abort(stopping());
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { models, metrics } = this.#options;
    if (this.#draining) response.setHeader("Connection", "close");
    const route = `${request.method} ${request.url?.split("?")[0]}`;
    switch (route) {
      case "POST /v1/chat/completions":
        return this.#post("chat", ChatRequest, request, response, (body, signal) =>
          answerChat(body, response, signal, { ...this.#options, engine: models.chat, model: models.names.chat }),
        );
      case "POST /v1/embeddings":
        return this.#post("embeddings", EmbeddingsRequest, request, response, (body, signal) =>
          answerEmbeddings(body, response, signal, {
            metrics,
            engine: models.embeddings,
            model: models.names.embeddings,
          }),
        );
      case "GET /v1/models":
        return sendJson(response, 200, {
          object: "list",
          data: Object.values(models.names).map((id) => ({
            id,
            object: "model",
            created: this.#created,
            owned_by: "escriba",
          })),
        });
      case "GET /health":
        return this.#health(response);
      case "GET /metrics":
        response.setHeader("Content-Type", metrics.registry.contentType);
        response.end(await metrics.registry.metrics());
        return;
      default:
        sendError(response, new RequestError(404, `there is no ${route}`, { code: "unknown_url" }));
    }
  }

  /** Key, body, model, answer; and what came of it is counted. */
  async #post<Body extends { model: string }>(
    kind: Kind,
    schema: ZodType<Body>,
    request: IncomingMessage,
    response: ServerResponse,
    answer: (body: Body, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { settings, models, metrics, log } = this.#options;
    const seconds = metrics.seconds.startTimer({ kind });
    const abort = abortWhenGone(response);
    this.#aborts.add(abort);
    try {
      if (this.#draining) throw stopping();
      authorize(request, settings.ESCRIBA_INFERENCE_API_KEY);
      const body = await readBody(request, schema, settings.ESCRIBA_INFERENCE_MAX_BODY_BYTES);
      models.know(kind, body.model);
      await answer(body, abort.signal);
      metrics.requests.inc({ kind, status: 200 });
    } catch (error) {
      const failure = asRequestError(error, log);
      metrics.requests.inc({ kind, status: failure?.status ?? 499 });
      if (failure && !response.destroyed) sendError(response, failure);
    } finally {
      this.#aborts.delete(abort);
      seconds();
    }
  }

  /** 200 as long as one kind of model is there: the other's requests say themselves what is missing. */
  #health(response: ServerResponse): void {
    const { states } = this.#options.models;
    const ready = !this.#draining && Object.values(states).includes("ready");
    const status = this.#draining ? "stopping" : ready ? "ok" : "waiting";
    sendJson(response, ready ? 200 : 503, { status, models: states });
  }
}

const stopping = () => unavailable("the server is stopping", "stopping", 2);

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
