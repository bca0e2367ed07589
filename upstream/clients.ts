import type { Logger } from "../process/log.ts";
import type { Registry } from "../process/metrics.ts";
import { Breaker } from "./breaker.ts";
import { type ChatStream, openChatStream } from "./chat-stream.ts";
import { type Embeddings, type EmbedRequest, readEmbeddings } from "./embedding.ts";
import { type Reason, UpstreamRefused, UpstreamUnavailable } from "./errors.ts";
import { createUpstreamMetrics, type Outcome, type UpstreamMetrics } from "./metrics.ts";
import type { Upstream, Upstreams } from "./settings.ts";
import { type Clock, systemClock, TIMING, type Timing } from "./timing.ts";
import { TokenCounter } from "./tokens.ts";
import { Transport } from "./transport.ts";

export interface ChatRequest {
  messages: readonly { role: "system" | "user" | "assistant"; content: string }[];
  maxTokens: number;
  temperature?: number | undefined;
  reasoningEffort: "none" | "low" | "medium" | "high";
  /** Asks for JSON (`response_format` json_object). */
  json: boolean;
  /** Asks for JSON of this schema, as far as the server is said to follow one (`structured_output`). */
  schema?: { name: string; schema: object } | undefined;
}

/**
 * One model's server. Both calls reject with UpstreamUnavailable after at most three more tries and nine minutes, with
 * UpstreamRefused for a request that the server will never do, or with the reason of `signal`, which also closes the
 * connection at once.
 */
export interface UpstreamClient {
  /** The operator's settings for it, window and dimensions among them. */
  readonly settings: Upstream;
  chat(request: ChatRequest, options: { signal: AbortSignal }): Promise<ChatStream>;
  embed(request: EmbedRequest, options: { signal: AbortSignal }): Promise<Embeddings>;
  /** What the server did not count, by its tokenizer or from bytes. */
  readonly tokens: TokenCounter;
}

export interface UpstreamClients {
  /** By public model id; undefined when no server is configured for it. */
  of(modelId: string): UpstreamClient | undefined;
  /** Closes every connection, those in use too. */
  close(): Promise<void>;
}

export interface UpstreamParts {
  log: Logger;
  registry: Registry;
  clock?: Clock;
  random?: () => number;
  timing?: Partial<Timing>;
}

/** A client for each model of the settings; nothing is opened before the first call. */
export function createUpstreams(
  upstreams: Upstreams,
  { log, registry, clock = systemClock, random = Math.random, timing }: UpstreamParts,
): UpstreamClients {
  const breakers = new Map<string, Breaker>();
  const metrics = createUpstreamMetrics(registry, breakers);
  const clients = new Map<string, Client>();
  for (const [model, settings] of Object.entries(upstreams)) {
    const all = { ...TIMING, ...timing };
    const breaker = new Breaker(clock, all.breaker);
    breakers.set(model, breaker);
    const own = { clock, timing: all, log: log.child({ upstream: model }) };
    const onRetry = (reason: Reason) => metrics.retries.inc({ model, reason });
    const transport = new Transport(settings, { ...own, random, breaker, onRetry });
    clients.set(model, new Client(model, settings, { ...own, transport, metrics }));
  }
  return {
    of: (modelId) => clients.get(modelId),
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

class Client implements UpstreamClient {
  readonly settings: Upstream;
  readonly tokens: TokenCounter;
  readonly #model: string;
  readonly #parts: { transport: Transport; timing: Timing; clock: Clock; metrics: UpstreamMetrics };

  constructor(
    model: string,
    settings: Upstream,
    parts: { transport: Transport; timing: Timing; clock: Clock; metrics: UpstreamMetrics; log: Logger },
  ) {
    this.#model = model;
    this.settings = settings;
    this.tokens = new TokenCounter(settings.tokenizer, parts.log);
    this.#parts = parts;
  }

  async chat(request: ChatRequest, { signal }: { signal: AbortSignal }): Promise<ChatStream> {
    const { transport, timing } = this.#parts;
    const body = JSON.stringify({
      model: this.settings.model,
      messages: request.messages,
      max_tokens: request.maxTokens,
      temperature: request.temperature,
      reasoning_effort: request.reasoningEffort,
      response_format: responseFormat(request, this.settings),
      stream: true,
      // Others than those that are said to know the second refuse it.
      stream_options: { include_usage: true, continuous_usage_stats: this.settings.usage_in_chunks || undefined },
    });
    const onEnd = this.#measure();
    try {
      const begun = await transport.begin("/chat/completions", "text/event-stream", body, signal);
      return await openChatStream(begun, { timing, signal, onEnd });
    } catch (error) {
      onEnd(outcomeOf(error));
      throw error;
    }
  }

  async embed({ input, dimensions }: EmbedRequest, { signal }: { signal: AbortSignal }): Promise<Embeddings> {
    const { transport, timing } = this.#parts;
    const body = JSON.stringify({ model: this.settings.model, input, dimensions, encoding_format: "float" });
    const onEnd = this.#measure();
    try {
      const begun = await transport.begin("/embeddings", "application/json", body, signal);
      const embeddings = await readEmbeddings(begun, input.length, { timing, signal });
      onEnd("ok");
      return embeddings;
    } catch (error) {
      onEnd(outcomeOf(error));
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#parts.transport.close();
  }

  #measure(): (outcome: Outcome) => void {
    const { clock, metrics } = this.#parts;
    const model = this.#model;
    const started = clock.now();
    return (outcome) => {
      metrics.requests.inc({ model, outcome });
      metrics.seconds.observe({ model, outcome }, (clock.now() - started) / 1000);
    };
  }
}

/** A request of our own with a schema gets what the server knows; a client's wish for JSON goes on as it is. */
function responseFormat({ json, schema }: ChatRequest, { structured_output: known }: Upstream): object | undefined {
  if (!schema) return json ? { type: "json_object" } : undefined;
  if (known === "json_schema") return { type: "json_schema", json_schema: { ...schema, strict: true } };
  return known === "none" ? undefined : { type: "json_object" };
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof UpstreamRefused) return "refused";
  return error instanceof UpstreamUnavailable ? "unavailable" : "cut";
}
