import { setTimeout as sleep } from "node:timers/promises";
import { ensure } from "../models/ensure.ts";
import type { Logger } from "../process/log.ts";
import { unavailable } from "./errors.ts";

const RETRY_MS = 60_000;

export interface ModelFilesOptions {
  dir: string;
  hub: string;
  offline: boolean;
  log: Logger;
}

/** A model's directory, fetched in the background: the server listens at once and says what it still lacks. */
export class ModelFiles {
  readonly name: string;
  readonly #options: ModelFilesOptions;
  readonly #stop = new AbortController();
  #state: { directory: string } | { reason: string; failed: boolean };

  constructor(name: string, options: ModelFilesOptions) {
    this.name = name;
    this.#options = options;
    this.#state = { reason: `${name} is being fetched`, failed: false };
  }

  /** `ready`, or why not. */
  get state(): string {
    return "directory" in this.#state ? "ready" : this.#state.reason;
  }

  /** Throws the 503 that says why the model is not there. */
  get directory(): string {
    if ("directory" in this.#state) return this.#state.directory;
    const { reason, failed } = this.#state;
    throw unavailable(reason, failed ? "model_unavailable" : "model_loading", failed ? RETRY_MS / 1_000 : 5);
  }

  /** Resolves when the model is there or was found not to be had for now; goes on trying unless offline. */
  async fetch(): Promise<void> {
    if (await this.#try()) return;
    if (!this.#options.offline) void this.#keepTrying();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #keepTrying(): Promise<void> {
    const { signal } = this.#stop;
    do await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    while (!signal.aborted && !(await this.#try()));
  }

  async #try(): Promise<boolean> {
    const { dir, hub, offline, log } = this.#options;
    try {
      this.#state = { directory: await ensure(this.name, { dir, hub, offline, signal: this.#stop.signal }) };
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#state = { reason, failed: true };
      if (!this.#stop.signal.aborted) log.error({ model: this.name, reason }, "the model is not available");
      return false;
    }
  }
}
