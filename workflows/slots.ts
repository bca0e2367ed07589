import type {
  ActivitySlotInfo,
  CustomSlotSupplier,
  SlotMarkUsedContext,
  SlotPermit,
  SlotReleaseContext,
} from "@temporalio/worker";

/** Polls at a time for one queue; more bring nothing where a task takes longer than a poll. */
const POLLS = 4;

/** Of a poll, and of a task that comes with the answer to a finished workflow task. */
const FOR_POLL = { of: "poll" };
const FOR_EAGER = { of: "eager" };

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
  /** Polls at a time. */
  readonly polls: number;
  #held = 0;
  #busy = 0;
  #polling = 0;
  #draining = false;
  #waiting = new Set<() => void>();
  #quiet = Promise.withResolvers<void>();

  constructor(max: number, polls = POLLS) {
    this.max = max;
    this.polls = Math.min(max, polls);
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

  /**
   * No more than there are polls: sdk-core asks for one more before a poll of its may begin, and would begin that poll
   * after a drain has begun, for another long-poll time.
   */
  async reserveSlot(_context: unknown, signal: AbortSignal): Promise<SlotPermit> {
    while (!this.#free() || this.#polling === this.polls) await this.#change(signal);
    this.#held += 1;
    this.#polling += 1;
    return FOR_POLL;
  }

  tryReserveSlot(): SlotPermit | null {
    if (!this.#free()) return null;
    this.#held += 1;
    return FOR_EAGER;
  }

  markSlotUsed({ permit }: Pick<SlotMarkUsedContext<ActivitySlotInfo>, "permit">): void {
    this.#busy += 1;
    this.#returned(permit);
    this.#wake();
  }

  releaseSlot({ permit, slotInfo }: SlotReleaseContext<ActivitySlotInfo>): void {
    this.#held -= 1;
    if (slotInfo) this.#busy -= 1;
    else this.#returned(permit);
    if (this.#draining && this.#held === 0) this.#quiet.resolve();
    this.#wake();
  }

  #returned(permit: SlotPermit): void {
    if ((permit as typeof FOR_POLL).of === FOR_POLL.of) this.#polling -= 1;
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
