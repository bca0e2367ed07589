import type { Clock } from "../clock.ts";
import { isCode, type KubernetesApi, type Scope } from "../kubernetes/api.ts";
import type { KubernetesObject, ObjectList } from "../kubernetes/objects.ts";
import type { Resource } from "../kubernetes/resources.ts";

export interface CacheParts {
  api: KubernetesApi;
  clock: Clock;
  /** 0 to 1, for the spread of waits. */
  random: () => number;
  /** Something of this object changed; it is absent after a delete. */
  onChange(object: KubernetesObject): void;
  onFault(error: unknown): void;
}

/** Between two lists, while the watch between them holds. */
const LIST_EVERY_MS = 30_000;
/** Between two lists when watches end at once or lists fail; doubles up to the last one. */
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;
/** For so long lists older than what was seen before are disbelieved; then the store itself has gone back (a restore). */
const STALE_MS = 30_000;
/** Why a watch is ended; a reason of its own spares an exception with its stack. */
const DONE = "done";

/**
 * The objects of a resource as last heard of. A list through a quorum is the truth, every 30 s and whenever a watch
 * ends; the watch in between is a hint that may come late, be silent or lie until the next list. A resource version is
 * compared with others: since Kubernetes 1.35 they are numbers that grow for each resource.
 */
export class ObjectCache<T extends KubernetesObject> {
  readonly #parts: CacheParts;
  readonly #resource: Resource<T>;
  readonly #scope: Scope;
  #objects = new Map<string, T>();
  #highest = 0n;
  #staleSince: number | undefined;
  readonly #first = Promise.withResolvers<void>();
  #listedAt: number | undefined;

  constructor(resource: Resource<T>, scope: Scope, parts: CacheParts) {
    this.#resource = resource;
    this.#scope = scope;
    this.#parts = parts;
  }

  /** Clock.monotonic() of the last list that was believed; undefined before the first. */
  get listedAt(): number | undefined {
    return this.#listedAt;
  }

  /** Resolves with the first list that was believed. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** The highest version that any answer has shown. */
  get version(): bigint {
    return this.#highest;
  }

  /** A list of an earlier version is one out of the past. */
  notBefore(version: bigint): void {
    if (version > this.#highest) this.#highest = version;
  }

  *[Symbol.iterator](): Iterator<T> {
    yield* this.#objects.values();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Puts in what the server answered to a write of ours, so that the next decision sees it. */
  wrote(object: T): void {
    this.#put(object);
  }

  /** The server took our deletion: it ends, or has ended, and the watch will say when. */
  deleting(object: T, at: string): void {
    const held = this.#objects.get(keyOf(object));
    if (!held || held.metadata.uid !== object.metadata.uid || held.metadata.deletionTimestamp) return;
    this.#objects.set(keyOf(object), { ...held, metadata: { ...held.metadata, deletionTimestamp: at } });
  }

  /** Lists and watches until the signal is aborted. Never throws for a fault of the server. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, onFault } = this.#parts;
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const begun = clock.monotonic();
      try {
        const list = await this.#parts.api.list(this.#resource, this.#scope);
        if (this.#believe(list)) await this.#follow(list.resourceVersion, signal);
      } catch (error) {
        // 410: the watch's version is too old, which the next list mends.
        if (!signal.aborted && !isCode(error, 410)) onFault(error);
      }
      // A watch that held for its time is followed by a list at once; faults are not met with haste.
      if (clock.monotonic() - begun >= LIST_EVERY_MS) {
        pause = FIRST_PAUSE_MS;
        continue;
      }
      await clock.sleep(pause * (0.5 + random()), signal);
      pause = Math.min(pause * 2, LAST_PAUSE_MS);
    }
  }

  async #follow(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ending = AbortSignal.any([signal, over.signal]);
    const timer = this.#parts.clock.sleep(LIST_EVERY_MS, ending).then(() => over.abort(DONE));
    try {
      for await (const event of this.#parts.api.watch(this.#resource, { ...this.#scope, resourceVersion }, ending)) {
        if (event.type === "BOOKMARK") this.#saw(event.object.metadata.resourceVersion);
        else if (event.type === "DELETED") this.#remove(event.object);
        else if (this.#put(event.object)) this.#parts.onChange(event.object);
      }
    } finally {
      over.abort(DONE);
      await timer;
    }
  }

  /** Whether the list is as new as what was seen before. One that is older comes from a server that lags. */
  #believe({ resourceVersion, items }: ObjectList<T>): boolean {
    const version = numberOf(resourceVersion);
    const now = this.#parts.clock.monotonic();
    if (version < this.#highest && now - (this.#staleSince ?? now) < STALE_MS) {
      this.#staleSince ??= now;
      this.#parts.onFault(new Error(`a list of ${this.#resource.plural} is older than what was seen before`));
      return false;
    }
    this.#staleSince = undefined;
    this.#highest = version;
    const before = this.#objects;
    this.#objects = new Map(items.map((item) => [keyOf(item), item]));
    this.#listedAt = now;
    this.#first.resolve();
    for (const [key, object] of before) if (!this.#objects.has(key)) this.#parts.onChange(object);
    for (const [key, object] of this.#objects) {
      if (before.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) this.#parts.onChange(object);
    }
    return true;
  }

  /** False when as much, or more, is known already. */
  #put(object: T): boolean {
    this.#saw(object.metadata.resourceVersion);
    const held = this.#objects.get(keyOf(object));
    const version = numberOf(object.metadata.resourceVersion);
    if (held && version !== 0n && version <= numberOf(held.metadata.resourceVersion)) return false;
    this.#objects.set(keyOf(object), object);
    return true;
  }

  #remove(object: T): void {
    this.#saw(object.metadata.resourceVersion);
    const held = this.#objects.get(keyOf(object));
    // A late word of the death of an earlier object of this name.
    if (!held || held.metadata.uid !== object.metadata.uid) return;
    this.#objects.delete(keyOf(object));
    this.#parts.onChange(object);
  }

  #saw(resourceVersion: string | undefined): void {
    this.notBefore(numberOf(resourceVersion));
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** 0 for what is no number: then the newest to arrive wins. */
function numberOf(resourceVersion: string | undefined): bigint {
  return /^\d+$/.test(resourceVersion ?? "") ? BigInt(resourceVersion as string) : 0n;
}
