import { ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import type { Logger } from "../../process/log.ts";
import { tooLong, unavailable } from "../errors.ts";
import { RestingChild } from "../resting-child.ts";
import { Slots, SlotsFull } from "../slots.ts";
import { type EmbedCall, type EmbedProgress, type EmbedResult, TEXT_TOO_LONG } from "./protocol.ts";

export interface EmbedEngineOptions {
  /** Of the model; throws the 503 that says why there is none yet. */
  directory: () => string;
  threads: number;
  queue: number;
  idleMs: number;
  log: Logger;
}

/** Requests that take turns, a window of text each, so that a long one does not hold up the others. */
const AT_A_TIME = 4;
/** A second passes between signs of life; cutting megabytes of text into tokens takes the longest. */
const SILENCE_MS = 60_000;

/** The sentence encoder in its process, because onnxruntime's `run` holds the thread it is called on. */
export class EmbedEngine {
  readonly slots: Slots;
  readonly #options: EmbedEngineOptions;
  readonly #child: RestingChild<EmbedCall, EmbedProgress, EmbedResult>;

  constructor(options: EmbedEngineOptions) {
    this.#options = options;
    this.slots = new Slots(AT_A_TIME, options.queue);
    this.#child = new RestingChild(new URL("./embed-process.ts", import.meta.url), {
      silenceMs: SILENCE_MS,
      env: {},
      calls: AT_A_TIME,
      abort: "ask",
      idleMs: options.idleMs,
      onStderr: (text) => options.log.warn({ stderr: text.trimEnd() }, "the embeddings process says"),
    });
  }

  get residentBytes(): number {
    return this.#child.residentBytes;
  }

  /** Rejects with RequestError, or with the signal's reason. */
  async embed(texts: string[], signal: AbortSignal): Promise<EmbedResult> {
    const { threads, log } = this.#options;
    const directory = this.#options.directory();
    try {
      return await this.slots.hold(signal, () => this.#child.call({ directory, threads, texts }, { signal }));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SlotsFull) throw unavailable("too many requests wait already", "queue_full", 5);
      if (error instanceof ChildFailure && error.kind === TEXT_TOO_LONG) throw tooLong(error.message, "input");
      if (error instanceof ChildCrashed) {
        log.error({ error: error.message, stderr: error.stderr }, "the embeddings process died");
        throw unavailable("the embedding model's process died; the next request starts another", "engine_died", 2);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#child.close();
  }
}
