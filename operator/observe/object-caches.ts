import type { Scope } from "../kubernetes/api.ts";
import type { KubernetesObject } from "../kubernetes/objects.ts";
import type { Resource } from "../kubernetes/resources.ts";
import { type CacheParts, ObjectCache } from "./object-cache.ts";

/** The objects of some namespaces, or of all: one cache each, read as one. */
export class ObjectCaches<T extends KubernetesObject> {
  readonly #clock: CacheParts["clock"];
  readonly #caches: Map<string | undefined, ObjectCache<T>>;

  /** `namespaces` empty: all, which takes rights on all. */
  constructor(resource: Resource<T>, scope: Scope, namespaces: readonly string[], parts: CacheParts) {
    this.#clock = parts.clock;
    const each = namespaces.length === 0 ? [undefined] : namespaces;
    this.#caches = new Map(
      each.map((namespace) => [namespace, new ObjectCache(resource, { ...scope, namespace }, parts)]),
    );
  }

  /** Milliseconds since the oldest of the last lists; undefined before each had one. */
  get age(): number | undefined {
    const times = [...this.#caches.values()].map(({ listedAt }) => listedAt);
    if (times.includes(undefined)) return undefined;
    return this.#clock.monotonic() - Math.min(...(times as number[]));
  }

  /** Resolves when each has had its first list. */
  async first(): Promise<void> {
    await Promise.all([...this.#caches.values()].map(({ first }) => first));
  }

  /** The highest version that any of them has seen. */
  get version(): bigint {
    return [...this.#caches.values()].reduce((highest, { version }) => (version > highest ? version : highest), 0n);
  }

  notBefore(version: bigint): void {
    for (const cache of this.#caches.values()) cache.notBefore(version);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const cache of this.#caches.values()) yield* cache;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#of(namespace)?.get(namespace, name);
  }

  wrote(object: T): void {
    this.#of(object.metadata.namespace)?.wrote(object);
  }

  deleting(object: T, at: string): void {
    this.#of(object.metadata.namespace)?.deleting(object, at);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#caches.values()].map((cache) => cache.run(signal)));
  }

  #of(namespace: string | undefined): ObjectCache<T> | undefined {
    return this.#caches.get(namespace) ?? this.#caches.get(undefined);
  }
}
