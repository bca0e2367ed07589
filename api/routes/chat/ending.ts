/** Who ended an answer before its end: the client is billed for what was produced, nobody for what we cut. */
export type Ender = "client" | "us";

/**
 * The signal under which an upstream is read: aborted when the client goes, and when the API ends with streams still
 * running. One of ours, so that the client's part can be taken out of it.
 */
export class Ending {
  readonly #cut = new AbortController();
  readonly #client: AbortSignal | null;
  readonly #closing: AbortSignal;
  #by: Ender | null = null;
  readonly #gone = () => this.#end("client", this.#client?.reason);
  readonly #closed = () => this.#end("us", this.#closing.reason);

  /** `client` null: the answer is wanted whether the client waits or not. */
  constructor(client: AbortSignal | null, closing: AbortSignal) {
    this.#client = client;
    this.#closing = closing;
    client?.addEventListener("abort", this.#gone);
    closing.addEventListener("abort", this.#closed);
    if (client?.aborted) this.#gone();
    if (closing.aborted) this.#closed();
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  get by(): Ender | null {
    return this.#by;
  }

  /** The text is whole: what is missing is its usage, which is wanted for the bill even when the client has gone. */
  disregardClient(): void {
    this.#client?.removeEventListener("abort", this.#gone);
  }

  /** Ends it for a reason of ours. */
  stop(reason: unknown): void {
    this.#end("us", reason);
  }

  dispose(): void {
    this.disregardClient();
    this.#closing.removeEventListener("abort", this.#closed);
  }

  #end(by: Ender, reason: unknown): void {
    if (this.#by !== null) return;
    this.#by = by;
    this.#cut.abort(reason);
  }
}
