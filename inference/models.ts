import { join } from "node:path";
import type { Logger } from "../process/log.ts";
import { missingBinary } from "./chat/binary.ts";
import { ChatEngine } from "./chat/engine.ts";
import { CHAT_MODEL, chatModelName, EMBEDDING_MODEL, modelsDirectory, type Settings, threadsOf } from "./config.ts";
import { EmbedEngine } from "./embeddings/engine.ts";
import { RequestError } from "./errors.ts";
import type { Kind } from "./metrics.ts";
import { ModelFiles } from "./model-files.ts";

/** The two models of a server: their files, the processes that hold them, and the names they answer to. */
export class Models {
  readonly chat: ChatEngine;
  readonly embeddings: EmbedEngine;
  readonly names: Record<Kind, string>;
  readonly #chatFiles: ModelFiles | undefined;
  readonly #embedFiles: ModelFiles;
  readonly #withoutChat = missingBinary();

  constructor(settings: Settings, log: Logger) {
    const gguf = settings.ESCRIBA_INFERENCE_GGUF;
    const source = {
      dir: modelsDirectory(settings),
      hub: settings.ESCRIBA_MODELS_HUB,
      offline: settings.ESCRIBA_OFFLINE,
      log,
    };
    const chatFiles = gguf ? undefined : new ModelFiles(CHAT_MODEL, source);
    const embedFiles = new ModelFiles(EMBEDDING_MODEL, source);
    const shared = {
      threads: threadsOf(settings),
      queue: settings.ESCRIBA_INFERENCE_QUEUE,
      idleMs: settings.ESCRIBA_INFERENCE_IDLE_SECONDS * 1_000,
      log,
    };
    this.chat = new ChatEngine({
      ...shared,
      path: () => (chatFiles ? join(chatFiles.directory, "model.gguf") : gguf),
      window: settings.ESCRIBA_INFERENCE_WINDOW,
      chats: settings.ESCRIBA_INFERENCE_CHATS,
    });
    this.embeddings = new EmbedEngine({ ...shared, directory: () => embedFiles.directory });
    this.names = { chat: chatModelName(settings), embeddings: EMBEDDING_MODEL };
    this.#chatFiles = chatFiles;
    this.#embedFiles = embedFiles;
    if (this.#withoutChat) log.error({ reason: this.#withoutChat }, "chat is not available");
  }

  /** Of each kind `ready`, or why not. */
  get states(): Record<Kind, string> {
    return {
      chat: this.#withoutChat ?? this.#chatFiles?.state ?? "ready",
      embeddings: this.#embedFiles.state,
    };
  }

  /** Throws the 404 for a name that is not this kind's. */
  know(kind: Kind, name: string): void {
    if (name === this.names[kind]) return;
    throw new RequestError(404, `no ${kind} model is called ${JSON.stringify(name)}; there is ${this.names[kind]}`, {
      code: "model_not_found",
      param: "model",
    });
  }

  /** Resolves when every model is there or was found not to be had for now. */
  async fetch(): Promise<void> {
    await Promise.all([this.#chatFiles?.fetch(), this.#embedFiles.fetch()]);
  }

  stopFetching(): void {
    this.#chatFiles?.stop();
    this.#embedFiles.stop();
  }

  async close(): Promise<void> {
    await Promise.all([this.chat.close(), this.embeddings.close()]);
  }
}
