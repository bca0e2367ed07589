import type { Logger } from "../process/log.ts";
import type { Tracer } from "../process/tracing/tracer.ts";
import type { Engine } from "../speech/engine/engine.ts";
import type { prepareAudio } from "../speech/prepare.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { OutboundPost } from "../storage/outbound-post.ts";
import type { Scratch } from "./activities/scratch.ts";
import type { WorkerConfig, WorkerQueue } from "./config.ts";
import type { WorkerMetrics } from "./metrics.ts";
import type { Speed } from "./speed.ts";

/** What a worker has open for every queue it serves. */
export interface WorkerParts {
  config: WorkerConfig;
  log: Logger;
  metrics: WorkerMetrics;
  /** Absent where no collector is set. */
  tracer?: Tracer | undefined;
  speeds: { speech: Speed; media: Speed };
  store: ObjectStore;
  scratch: Scratch;
  replaced: Replacements;
}

/** Parts that a test replaces where a fault is needed that the real ones cannot be made to show. */
export interface Replacements {
  engine?: Engine;
  prepareAudio?: typeof prepareAudio;
  /** The resolver of webhooks' hosts, and their receivers' time. */
  network?: Partial<Pick<OutboundPost, "resolve" | "timeoutMs">>;
}

/** One or more queues made ready: their steps, and what ends with them. */
export interface ServedQueues {
  queues: readonly WorkerQueue[];
  steps: object;
  /** Serves workflows too. */
  workflows: boolean;
  /** Rejects when the steps cannot work now; for `/readyz`. */
  check(): Promise<void>;
  /** Ends what is no step: relays and the like. */
  stop(): Promise<void>;
  /** After the last step. */
  close(): Promise<void>;
}

export const nothing = async () => undefined;
