/** The queue is full. */
export class SlotsFull extends Error {
  override name = "SlotsFull";
}

/** A bounded number of holders at a time, and a bounded queue of those who wait, first come first served. */
export class Slots {
  readonly #limit: number;
  readonly #queueLimit: number;
  #running = 0;
  readonly #queue = new Set<() => void>();

  constructor(limit: number, queueLimit: number) {
    this.#limit = limit;
    this.#queueLimit = queueLimit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Runs `work` in a slot. Rejects with SlotsFull when as many wait as may, and with the signal's reason when aborted
   * while waiting; a running `work` looks at the signal itself.
   */
  async hold<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) await this.#wait(signal);
    else this.#running++;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#leave();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#queue.size >= this.#queueLimit) return Promise.reject(new SlotsFull());
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#queue.delete(enter);
        reject(signal.reason);
      };
      this.#queue.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Hands the slot on, so that nobody who comes now overtakes those who wait. */
  #leave(): void {
    const [next] = this.#queue;
    if (!next) {
      this.#running--;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}
