import { type CallOptions, Child, type ChildOptions } from "../process/child-process.ts";

/** A child process that ends when nobody has called it for a while, so that its model leaves the memory. */
export class RestingChild<Request, Progress, Response extends { residentBytes: number }> {
  readonly #child: Child<Request, Progress, Response>;
  readonly #idleMs: number;
  #calls = 0;
  #idle: NodeJS.Timeout | undefined;
  #residentBytes = 0;

  /** `idleMs` 0: it never rests. */
  constructor(module: URL, options: ChildOptions & { idleMs: number }) {
    this.#child = new Child(module, options);
    this.#idleMs = options.idleMs;
  }

  /** As of the last answer; 0 when the child rests. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async call(request: Request, options: CallOptions<Progress>): Promise<Response> {
    clearTimeout(this.#idle);
    this.#calls++;
    try {
      const response = await this.#child.call(request, options);
      this.#residentBytes = response.residentBytes;
      return response;
    } finally {
      if (--this.#calls === 0 && this.#idleMs > 0) {
        this.#idle = setTimeout(() => void this.rest(), this.#idleMs);
        this.#idle.unref();
      }
    }
  }

  async rest(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#calls > 0) return;
    this.#residentBytes = 0;
    await this.#child.rest();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#child.close();
  }
}
