import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from "@temporalio/worker";

/**
 * Activity slots that can be drained. `Worker.shutdown()` alone loses work under load: a task that the server matched
 * to a poll which the shutdown then cancels waits for its time-out. Draining therefore grants no more permits: polls
 * that are out come back with a task, which runs, or empty; when no permit is held nothing can be lost, and the worker
 * may shut down. On an empty queue that takes up to the server's long-poll time, which no setting of the SDK shortens
 * (sdk-core asks with a deadline of 70 s and the server answers after `matching.longPollExpirationInterval`).
 */
export class DrainableSlots implements CustomSlotSupplier<ActivitySlotInfo> {
  readonly type = "custom";
  readonly max: number;
  #held = 0;
  #busy = 0;
  #draining = false;
  #waiting = new Set<() => void>();
  #quiet = Promise.withResolvers<void>();

  constructor(max: number) {
    this.max = max;
  }

  /** Permits that a poll or a step holds. */
  get held(): number {
    return this.#held;
  }

  /** Steps at work. */
  get busy(): number {
    return this.#busy;
  }

  /** Grants nothing from now on; resolves when no permit is held. */
  drain(): Promise<void> {
    this.#draining = true;
    if (this.#held === 0) this.#quiet.resolve();
    return this.#quiet.promise;
  }

  /** Grants again. A drain that had not ended then goes on waiting: it ends with the next one. */
  resume(): void {
    if (!this.#draining) return;
    this.#draining = false;
    if (this.#held === 0) this.#quiet = Promise.withResolvers<void>();
    this.#wake();
  }

  async reserveSlot(_context: unknown, signal: AbortSignal): Promise<SlotPermit> {
    while (!this.#free()) await this.#change(signal);
    this.#held += 1;
    return {};
  }

  tryReserveSlot(): SlotPermit | null {
    if (!this.#free()) return null;
    this.#held += 1;
    return {};
  }

  markSlotUsed(): void {
    this.#busy += 1;
  }

  releaseSlot({ slotInfo }: { slotInfo?: ActivitySlotInfo }): void {
    this.#held -= 1;
    if (slotInfo) this.#busy -= 1;
    if (this.#draining && this.#held === 0) this.#quiet.resolve();
    this.#wake();
  }

  #free(): boolean {
    return !this.#draining && this.#held < this.max;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      // The SDK knows an abort by this name only, and logs whatever else is thrown.
      const abort = () => reject(new DOMException("no slot is wanted any more", "AbortError"));
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      });
    });
  }
}
