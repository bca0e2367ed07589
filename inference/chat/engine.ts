import { ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import type { Logger } from "../../process/log.ts";
import { RequestError, tooLong, unavailable } from "../errors.ts";
import { RestingChild } from "../resting-child.ts";
import { Slots, SlotsFull } from "../slots.ts";
import {
  CHAT_FAILURES,
  type ChatCall,
  type ChatModelSettings,
  type ChatProgress,
  type ChatResult,
  type Piece,
} from "./protocol.ts";

export interface ChatEngineOptions extends Omit<ChatModelSettings, "path"> {
  /** GGUF file; throws the 503 that says why there is none yet. */
  path: () => string;
  queue: number;
  idleMs: number;
  log: Logger;
}

/** A second passes between signs of life; loading the model and reading 512 tokens of a prompt take the longest. */
const SILENCE_MS = 120_000;

/**
 * The chat model in its process. llama.cpp works on threads of its own and hardly holds the event loop (measured: 43 ms
 * at most while a prompt is read, 16 ms while tokens come, 184 ms once while loading), so this is not for speed: a
 * crash of native code costs the running chats and not the server, and the memory of an idle model is given back.
 */
export class ChatEngine {
  readonly slots: Slots;
  readonly #options: ChatEngineOptions;
  readonly #child: RestingChild<ChatCall, ChatProgress, ChatResult>;

  constructor(options: ChatEngineOptions) {
    this.#options = options;
    this.slots = new Slots(options.chats, options.queue);
    this.#child = new RestingChild(new URL("./chat-process.ts", import.meta.url), {
      silenceMs: SILENCE_MS,
      env: {},
      calls: options.chats,
      abort: "ask",
      idleMs: options.idleMs,
      onStderr: (text) => options.log.warn({ stderr: text.trimEnd() }, "the chat process says"),
    });
  }

  get residentBytes(): number {
    return this.#child.residentBytes;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Rejects with RequestError, or with the signal's reason. */
  async answer(
    call: Omit<ChatCall, "model">,
    { onText, signal }: { onText: (piece: Piece) => void; signal: AbortSignal },
  ): Promise<ChatResult> {
    const { path, threads, window, chats } = this.#options;
    const model = { path: path(), threads, window, chats };
    try {
      return await this.slots.hold(signal, () =>
        this.#child.call(
          { ...call, model },
          { signal, onProgress: (progress) => "text" in progress && onText(progress) },
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw this.#requestError(error);
    }
  }

  async close(): Promise<void> {
    await this.#child.close();
  }

  #requestError(error: unknown): unknown {
    const { log } = this.#options;
    if (error instanceof SlotsFull) return unavailable("too many chats wait already", "queue_full", 5);
    if (error instanceof ChildCrashed) {
      log.error({ error: error.message, stderr: error.stderr }, "the chat process died");
      return unavailable("the chat model's process died; the next request starts another", "engine_died", 2);
    }
    if (!(error instanceof ChildFailure)) return error;
    if (error.kind === CHAT_FAILURES.promptTooLong) return tooLong(error.message, "messages");
    if (error.kind === CHAT_FAILURES.schemaRefused) {
      return new RequestError(400, error.message, { param: "response_format", code: "invalid_json_schema" });
    }
    if (error.kind === CHAT_FAILURES.modelUnusable) {
      log.error({ error: error.message }, "chat is not available");
      return unavailable(error.message, "model_unavailable", 60);
    }
    return error;
  }
}
