import type { Clock } from "../clock.ts";
import { CallFailed } from "../json-call.ts";
import { inLanes } from "../lanes.ts";
import type { WorkerStatus } from "../observation.ts";
import type { WorkerPort } from "../worker/port.ts";

export interface AskedPod {
  uid: string;
  address: string;
  token(): Promise<string | null>;
  /** The token was not accepted. */
  refused(): void;
}

/** An older answer says nothing about now: a worker is asked every 2 s and has 1 s to answer. */
const FRESH_MS = 5_000;
/** Pods asked at a time. */
const AT_A_TIME = 32;

/** The last answer of every pod's worker, asked in the background so that a silent one delays nobody. */
export class WorkerAnswers {
  readonly #worker: WorkerPort;
  readonly #clock: Clock;
  readonly #answers = new Map<string, { status: WorkerStatus; at: number }>();
  readonly #asked = new Set<string>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(worker: WorkerPort, clock: Clock) {
    this.#worker = worker;
    this.#clock = clock;
  }

  /** Asks these pods, and forgets those that are not among them. Resolves when each has answered or not. */
  async refresh(pods: AskedPod[]): Promise<void> {
    const present = new Set(pods.map(({ uid }) => uid));
    for (const uid of this.#asked) {
      if (present.has(uid)) continue;
      this.#asked.delete(uid);
      this.#answers.delete(uid);
    }
    await inLanes(pods, AT_A_TIME, (pod) => this.#ask(pod));
  }

  /** Asks those of these pods that never were. */
  async askNew(pods: AskedPod[]): Promise<void> {
    const fresh = pods.filter(({ uid }) => !this.#asked.has(uid));
    await inLanes(fresh, AT_A_TIME, (pod) => this.#ask(pod));
  }

  /** Null when it has not answered of late. */
  of(uid: string): WorkerStatus | null {
    const answer = this.#answers.get(uid);
    return answer && this.#clock.monotonic() - answer.at <= FRESH_MS ? answer.status : null;
  }

  /** An answer that another call brought. */
  took(uid: string, status: WorkerStatus): void {
    this.#answers.set(uid, { status, at: this.#clock.monotonic() });
  }

  /** What is known no longer holds. */
  forget(uid: string): void {
    this.#answers.delete(uid);
  }

  /** A pod that is still being asked is not asked twice. */
  #ask(pod: AskedPod): Promise<void> {
    this.#asked.add(pod.uid);
    const asking = this.#asking.get(pod.uid) ?? this.#askOnce(pod).finally(() => this.#asking.delete(pod.uid));
    this.#asking.set(pod.uid, asking);
    return asking;
  }

  async #askOnce({ uid, address, token, refused }: AskedPod): Promise<void> {
    const before = this.#answers.get(uid);
    try {
      const status = await this.#worker.status(address, await token());
      // A drain's answer that came in between is the newer one.
      if (this.#answers.get(uid) === before) this.took(uid, status);
    } catch (error) {
      // Otherwise nothing to do: the absence of an answer says it.
      if (error instanceof CallFailed && error.status === 401) refused();
    }
  }
}
