import type { Clock } from "../clock.ts";
import { isCode, type KubernetesApi } from "../kubernetes/api.ts";
import type { Event } from "../kubernetes/objects.ts";
import { apiVersion, EVENTS, WORKER_POOLS } from "../kubernetes/resources.ts";
import type { PoolEvent } from "../plan.ts";
import type { WorkerPool } from "../workerpool/types.ts";

export interface EventParts {
  api: KubernetesApi;
  clock: Clock;
  /** 0 to 1, for names. */
  random: () => number;
  /** Name of this process, for people. */
  instance: string;
}

const COMPONENT = "escriba-operator";
/** Kubernetes forgets events after an hour; the same word again within it only counts the first one up. */
const COUNTED_MS = 45 * 60_000;
const REMEMBERED = 1_000;
const LONGEST_MESSAGE = 1_024;

/** Writes Kubernetes Events about pools: what `kubectl describe wp` shows. */
export class EventRecorder {
  readonly #parts: EventParts;
  /** By pool, reason and message; oldest first. */
  readonly #written = new Map<string, { event: Event; at: number }>();

  constructor(parts: EventParts) {
    this.#parts = parts;
  }

  /** Rejects when the server does; the caller decides that an event is not worth more. */
  async record(pool: WorkerPool, said: PoolEvent): Promise<void> {
    const { api, clock } = this.#parts;
    const message = said.message.slice(0, LONGEST_MESSAGE);
    const key = [pool.metadata.uid, said.type, said.reason, message].join("\n");
    const before = this.#written.get(key);
    const now = clock.monotonic();
    const repeated = before && now - before.at < COUNTED_MS ? await this.#again(before.event) : undefined;
    const event = repeated ?? (await api.create(EVENTS, this.#event(pool, { ...said, message })));
    this.#written.delete(key);
    this.#written.set(key, { event, at: repeated ? (before as { at: number }).at : now });
    for (const oldest of this.#written.keys()) {
      if (this.#written.size <= REMEMBERED) break;
      this.#written.delete(oldest);
    }
  }

  /** Undefined when the first one is gone. */
  async #again({ metadata, count }: Event): Promise<Event | undefined> {
    const { api, clock } = this.#parts;
    const change = { count: count + 1, lastTimestamp: new Date(clock.now()).toISOString() };
    try {
      return await api.patch(EVENTS, metadata.namespace as string, metadata.name, change);
    } catch (error) {
      if (isCode(error, 404)) return undefined;
      throw error;
    }
  }

  #event({ metadata }: WorkerPool, { type, reason, message }: PoolEvent): Event {
    const { clock, random, instance } = this.#parts;
    const at = new Date(clock.now()).toISOString();
    const unique = Math.floor(random() * 2 ** 48).toString(16);
    return {
      apiVersion: apiVersion(EVENTS),
      kind: EVENTS.kind,
      metadata: { name: `${metadata.name}.${unique}`, namespace: metadata.namespace },
      involvedObject: {
        apiVersion: apiVersion(WORKER_POOLS),
        kind: WORKER_POOLS.kind,
        name: metadata.name,
        namespace: metadata.namespace,
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      },
      type,
      reason,
      message,
      source: { component: COMPONENT },
      reportingComponent: COMPONENT,
      reportingInstance: instance,
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
  }
}
