import { behindToken } from "../process/bearer.ts";
import type { Answer, Routes } from "../process/metrics.ts";
import type { DrainableSlots } from "./slots.ts";
import type { Speed } from "./speed.ts";

/** What `/status` answers; the operator reads it. New fields may come, none goes while `version` is 1. */
export interface WorkerStatus {
  version: 1;
  state: "starting" | "serving" | "draining";
  /** Permits of activity slots that a poll or a step holds, and those of them with a step at work. */
  permits: number;
  busy: number;
  slots: number;
  queues: Record<string, { slots: number; permits: number; busy: number }>;
  /** Of one slot while all are at work, measured here; null before any audio was done. */
  audioSecondsPerSecond: number | null;
  /** ISO 8601. */
  startedAt: string;
}

/** Whether a worker takes work: it begins, it serves, it is drained by whoever asks over HTTP, and it ends. */
export class WorkerControl {
  readonly #slots: ReadonlyMap<string, DrainableSlots>;
  readonly #speed: Speed;
  readonly #startedAt: string;
  #serving = false;
  #drained = false;
  #ending = false;

  constructor(slots: ReadonlyMap<string, DrainableSlots>, speed: Speed, startedAt: Date) {
    this.#slots = slots;
    this.#speed = speed;
    this.#startedAt = startedAt.toISOString();
  }

  get state(): WorkerStatus["state"] {
    if (this.#drained || this.#ending) return "draining";
    return this.#serving ? "serving" : "starting";
  }

  /** Everything is loaded and polls go out, unless it was drained before that. */
  serves(): void {
    this.#serving = true;
  }

  /** Grants no more permits; resolves when none is held. The process stays, and may serve again. */
  async drain(): Promise<void> {
    this.#drained = true;
    await Promise.all([...this.#slots.values()].map((own) => own.drain()));
  }

  /** As `drain`, for good. */
  end(): Promise<void> {
    this.#ending = true;
    return this.drain();
  }

  status(): WorkerStatus {
    const queues = [...this.#slots].map(
      ([queue, { max, held, busy }]) => [queue, { slots: max, permits: held, busy }] as const,
    );
    const sum = (field: "slots" | "permits" | "busy") => queues.reduce((all, [, own]) => all + own[field], 0);
    return {
      version: 1,
      state: this.state,
      permits: sum("permits"),
      busy: sum("busy"),
      slots: sum("slots"),
      queues: Object.fromEntries(queues),
      audioSecondsPerSecond: this.#speed.perSlot,
      startedAt: this.#startedAt,
    };
  }

  /** Of the metrics listener; with a token, for whoever has it. */
  routes(token: string | null): Routes {
    const routes: Routes = {
      "/status": { GET: () => ({ status: 200, body: this.status() }) },
      "/drain": { POST: () => this.#drain(), DELETE: () => this.#resume() },
    };
    return token === null ? routes : behindToken(token, routes);
  }

  /** Answers at once; `/status` tells when no permit is held. */
  #drain(): Answer {
    void this.drain();
    return { status: 202, body: this.status() };
  }

  #resume(): Answer {
    if (this.#ending) return { status: 409, body: this.status() };
    this.#drained = false;
    for (const own of this.#slots.values()) own.resume();
    return { status: 200, body: this.status() };
  }
}
