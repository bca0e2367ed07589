import { CHAT_MODEL, chatModelName, EMBEDDING_MODEL } from "../inference/config.ts";
import type { Upstreams } from "../upstream/settings.ts";
import type { EmbeddedConfig } from "./config.ts";
import { plainMessage } from "./failure.ts";
import { fetchModel } from "./models.ts";
import type { Bar } from "./progress.ts";
import type { Role, RoleFailed } from "./role.ts";

/** What the role says when it is ready: of each kind of model `ready`, or why not. */
export interface InferenceReady {
  url: string;
  models: { chat: string; embeddings: string };
}

export interface EmbeddedInferenceOptions {
  port: number;
  /** Fetch models that are not in the cache, their progress on the bar; else use what is there. */
  fetch: Bar | undefined;
  report: (line: string) => void;
  role: (env: Record<string, string>, onFailed: (error: RoleFailed) => void) => Role<InferenceReady>;
}

/**
 * Chat and embeddings of the stack on one machine: the `inference` role, started when everything else runs and never
 * waited for. Nothing of it can fail the stack: transcription works without, and what is missing is said.
 */
export class EmbeddedInference {
  readonly url: string;
  readonly #config: EmbeddedConfig;
  readonly #options: EmbeddedInferenceOptions;
  readonly #stop = new AbortController();
  #role: Role<InferenceReady> | undefined;
  #started: Promise<boolean> = Promise.resolve(false);

  constructor(config: EmbeddedConfig, options: EmbeddedInferenceOptions) {
    this.#config = config;
    this.#options = options;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  /** Of every model id: a person's own server, or this one. Both chat models are the one small model. */
  get upstreams(): Upstreams {
    const { inference, upstreams } = this.#config;
    const url = `${this.url}/v1`;
    const chat = {
      url,
      model: chatModelName({ ESCRIBA_INFERENCE_GGUF: inference.gguf }),
      context_window: inference.window,
      usage_in_chunks: true,
      structured_output: "json_schema" as const,
    };
    return {
      "service-llm-1-small": chat,
      "service-llm-1-large": chat,
      "service-embed-1": { url, model: EMBEDDING_MODEL, dimensions: 1_024, native_dimensions: 384 },
      ...upstreams,
    };
  }

  /**
   * Seconds that each round of modules (safety and personal data side by side, then insight) may take for a second of
   * recognition. The small model writes slowly and not well: with it a transcript takes four times its recognition at
   * most, and what is missing then is said. A server of one's own gets the time it needs.
   */
  get patience(): string {
    return this.upstreams["service-llm-1-small"]?.url.startsWith(this.url) ? "0.9" : "0";
  }

  /** Resolves with whether chat and embeddings answer, once that is known. */
  get started(): Promise<boolean> {
    return this.#started;
  }

  start(): void {
    if (Object.values(this.upstreams).some(({ url }) => url.startsWith(this.url))) this.#started = this.#start();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stop.abort(new Error("the stack is stopping"));
    await this.#role?.stop(graceMs);
    await this.#started;
    await this.#role?.stop(graceMs); // when it was made in between
  }

  /** Ends it at once. */
  kill(): void {
    this.#role?.kill();
  }

  async #start(): Promise<boolean> {
    const { fetch, report, role, port } = this.#options;
    try {
      const fetched = fetch ? await this.#fetch(fetch) : true;
      if (this.#stop.signal.aborted) return false;
      // What could not be fetched now is tried again by the role itself.
      const offline = this.#config.offline || fetched;
      this.#role = role(
        {
          ESCRIBA_INFERENCE_HOST: "127.0.0.1",
          ESCRIBA_INFERENCE_PORT: String(port),
          ESCRIBA_INFERENCE_API_KEY: "",
          ESCRIBA_OFFLINE: String(offline),
        },
        (error) => report(`CHAT AND EMBEDDINGS ARE NOT AVAILABLE: ${error.message}`),
      );
      const { models } = await this.#role.start();
      if (fetched)
        for (const [kind, state] of Object.entries(models)) if (state !== "ready") this.#missing(kind, state);
      return fetched && Object.values(models).every((state) => state === "ready");
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#missing("chat and embeddings", plainMessage(error));
      return false;
    }
  }

  async #fetch(bar: Bar): Promise<boolean> {
    let complete = true;
    const models = { chat: this.#config.inference.gguf ? undefined : CHAT_MODEL, embeddings: EMBEDDING_MODEL } as const;
    for (const [kind, name] of Object.entries(models)) {
      if (!name) continue;
      try {
        await fetchModel(name, this.#config, bar, this.#stop.signal);
      } catch (error) {
        bar.stop();
        if (this.#stop.signal.aborted) return false;
        this.#missing(kind, plainMessage(error));
        complete = false;
      }
    }
    bar.stop();
    return complete;
  }

  #missing(what: string, reason: string): void {
    const verb = what.endsWith("embeddings") ? "ARE" : "IS";
    this.#options.report(`${what.toUpperCase()} ${verb} NOT AVAILABLE, everything else works: ${reason}`);
  }
}
