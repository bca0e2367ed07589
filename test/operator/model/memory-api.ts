import type { Clock } from "../../../operator/clock.ts";
import { ApiError, type KubernetesApi, type Preconditions, type Scope } from "../../../operator/kubernetes/api.ts";
import type { KubernetesObject, Pod, Scale, WatchEvent } from "../../../operator/kubernetes/objects.ts";
import { apiVersion, type Resource } from "../../../operator/kubernetes/resources.ts";
import { freeze, merge, same } from "./json.ts";

type Kind = Resource<KubernetesObject>;
interface Stored extends KubernetesObject {
  spec?: { replicas?: number; terminationGracePeriodSeconds?: number; nodeName?: string };
  status?: unknown;
}
interface Change {
  revision: number;
  plural: string;
  event: WatchEvent<Stored>;
}

/** Says no as an admission plugin or the schema would, by throwing an ApiError. */
export type Admission = (plural: string, object: KubernetesObject, dryRun: boolean) => void;

/** So many changes are remembered for watches; an older version is 410. */
const REMEMBERED = 500;

/**
 * An API server without a server: the rules of resource versions, preconditions, subresources, watches and deletion
 * that the operator relies on, held to the real one by the same contract tests. Objects are frozen and shared: whoever
 * changes one that it was given finds out.
 */
export class MemoryApi implements KubernetesApi {
  readonly #clock: Pick<Clock, "now">;
  readonly #objects = new Map<string, Map<string, Stored>>();
  readonly #changes: Change[] = [];
  #watchers = new Set<() => void>();
  #revision = 1;
  #uids = 0;
  admission: Admission = () => undefined;
  /** Told before a deletion by a client takes effect. */
  deleting: (plural: string, object: KubernetesObject) => void = () => undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async list<T extends KubernetesObject>(resource: Resource<T>, scope: Scope) {
    return { resourceVersion: String(this.#revision), items: this.peek(resource, scope) };
  }

  async *watch<T extends KubernetesObject>(
    { plural }: Resource<T>,
    scope: Scope & { resourceVersion: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    let seen = Number(scope.resourceVersion);
    while (!signal.aborted) {
      const oldest = this.#changes[0]?.revision ?? this.#revision + 1;
      if (this.#changes.length >= REMEMBERED && seen + 1 < oldest) throw expired();
      const news = this.#changes.filter((change) => change.revision > seen);
      for (const { revision, plural: of, event } of news) {
        seen = revision;
        if (of === plural && matches(event.object, scope)) yield event as WatchEvent<T>;
      }
      if (news.length === 0) await this.#change(signal);
    }
  }

  async get<T extends KubernetesObject>(resource: Resource<T>, namespace: string, name: string): Promise<T> {
    return this.#existing(resource, namespace, name) as KubernetesObject as T;
  }

  async create<T extends KubernetesObject>(resource: Resource<T>, object: T, { dryRun = false } = {}): Promise<T> {
    const { name, namespace } = object.metadata;
    if (this.#of(resource).has(`${namespace}/${name}`)) {
      throw new ApiError(409, "AlreadyExists", `${resource.plural} "${name}" already exists`);
    }
    this.admission(resource.plural, object, dryRun);
    const stored: Stored = {
      ...object,
      apiVersion: apiVersion(resource),
      kind: resource.kind,
      metadata: {
        ...object.metadata,
        uid: `uid-${++this.#uids}`,
        generation: 1,
        creationTimestamp: this.#time(),
      },
      ...(resource.plural === "pods" && { status: { phase: "Pending" } }),
    };
    if (hasStatus(resource)) delete stored.status;
    if (dryRun) return stored as KubernetesObject as T;
    return this.#store(resource, stored, "ADDED") as KubernetesObject as T;
  }

  async replace<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> {
    const { held, given } = this.#same(resource, object);
    const status = hasStatus(resource) ? held.status : given.status;
    return this.#update(resource, held, { ...given, status }) as KubernetesObject as T;
  }

  async replaceStatus<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> {
    const { held, given } = this.#same(resource, object);
    return this.#update(resource, held, { ...held, status: given.status }) as KubernetesObject as T;
  }

  async replaceScale<T extends KubernetesObject>(resource: Resource<T>, scale: Scale): Promise<Scale> {
    const { held } = this.#same(resource, scale);
    const stored = this.#update(resource, held, { ...held, spec: { ...held.spec, ...scale.spec } });
    return { ...scale, metadata: { ...scale.metadata, resourceVersion: stored.metadata.resourceVersion } } as Scale;
  }

  async patch<T extends KubernetesObject>(resource: Resource<T>, namespace: string, name: string, change: object) {
    const held = this.#existing(resource, namespace, name);
    const merged = merge(held, change) as Stored;
    if (merged.metadata.resourceVersion !== held.metadata.resourceVersion) throw conflict(name);
    return this.#update(resource, held, merged) as KubernetesObject as T;
  }

  async delete<T extends KubernetesObject>(
    resource: Resource<T>,
    namespace: string,
    name: string,
    preconditions: Preconditions,
  ): Promise<void> {
    const held = this.#existing(resource, namespace, name);
    const { uid, resourceVersion } = held.metadata;
    if (uid !== preconditions.uid || resourceVersion !== preconditions.resourceVersion) throw conflict(name);
    this.deleting(resource.plural, held);
    this.#end(resource, held);
  }

  /** The present objects, without the manners of a call. */
  peek<T extends KubernetesObject>(resource: Resource<T>, scope: Scope = {}): T[] {
    return [...this.#of(resource).values()].filter((object) => matches(object, scope)) as KubernetesObject[] as T[];
  }

  /** Puts a changed object in place, as other parts of a cluster do (kubelet, scheduler, people). */
  put<T extends KubernetesObject>(resource: Resource<T>, object: T): T {
    const held = this.#existing(resource, object.metadata.namespace as string, object.metadata.name);
    return this.#update(resource, held, object as KubernetesObject as Stored) as KubernetesObject as T;
  }

  /** Takes an object away at once, as the kubelet does at the end of a deletion and `--force` before it. */
  remove<T extends KubernetesObject>(resource: Resource<T>, object: T): void {
    const { namespace, name } = object.metadata;
    const held = this.#of(resource).get(`${namespace}/${name}`);
    if (!held) return;
    this.#of(resource).delete(`${namespace}/${name}`);
    const gone = freeze({ ...held, metadata: { ...held.metadata, resourceVersion: String(++this.#revision) } });
    this.#tell(resource, { type: "DELETED", object: gone });
    for (const pod of resource.plural === "pods" ? [] : [...this.#of({ plural: "pods" } as Kind).values()]) {
      const owned = pod.metadata.ownerReferences?.some(({ uid }) => uid === held.metadata.uid);
      if (owned) this.#end({ plural: "pods", group: "", version: "v1", kind: "Pod" }, pod);
    }
  }

  #end(resource: Kind, held: Stored): void {
    const { spec, status } = held as Stored & Partial<Pod>;
    const ended = status?.phase === "Failed" || status?.phase === "Succeeded";
    // Only a kubelet has something to wait for.
    if (resource.plural !== "pods" || !spec?.nodeName || ended) {
      this.remove(resource, held);
      return;
    }
    if (held.metadata.deletionTimestamp) return;
    const grace = (spec.terminationGracePeriodSeconds as number | undefined) ?? 30;
    const deletionTimestamp = this.#time(grace * 1000);
    const metadata = { ...held.metadata, deletionTimestamp, deletionGracePeriodSeconds: grace };
    this.#update(resource, held, { ...held, metadata });
  }

  #same(resource: Kind, object: KubernetesObject): { held: Stored; given: Stored } {
    const { namespace, name, resourceVersion, uid } = object.metadata;
    const held = this.#existing(resource, namespace as string, name);
    if (resourceVersion !== undefined && resourceVersion !== held.metadata.resourceVersion) throw conflict(name);
    if (uid !== undefined && uid !== held.metadata.uid) throw conflict(name);
    return { held, given: object as Stored };
  }

  #update(resource: Kind, held: Stored, wanted: Stored): Stored {
    const { uid, creationTimestamp, generation = 1 } = held.metadata;
    const respecified = !same(wanted.spec, held.spec);
    const metadata = {
      ...wanted.metadata,
      uid: uid as string,
      creationTimestamp: creationTimestamp as string,
      generation: respecified ? generation + 1 : generation,
      resourceVersion: held.metadata.resourceVersion as string,
    };
    const next: Stored = { ...wanted, apiVersion: held.apiVersion as string, kind: held.kind as string, metadata };
    // A write that changes nothing leaves no trace.
    if (same(next, held)) return held;
    return this.#store(resource, next, "MODIFIED");
  }

  #store(resource: Kind, object: Stored, type: "ADDED" | "MODIFIED"): Stored {
    const resourceVersion = String(++this.#revision);
    const stored = freeze({ ...object, metadata: { ...object.metadata, resourceVersion } });
    this.#of(resource).set(`${stored.metadata.namespace}/${stored.metadata.name}`, stored);
    this.#tell(resource, { type, object: stored });
    return stored;
  }

  #tell({ plural }: Kind, event: WatchEvent<Stored>): void {
    this.#changes.push({ revision: this.#revision, plural, event });
    if (this.#changes.length > REMEMBERED) this.#changes.shift();
    const waiting = this.#watchers;
    this.#watchers = new Set();
    for (const wake of waiting) wake();
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#watchers.delete(wake);
        resolve();
      };
      this.#watchers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  #existing(resource: Kind, namespace: string, name: string): Stored {
    const held = this.#of(resource).get(`${namespace}/${name}`);
    if (!held) throw new ApiError(404, "NotFound", `${resource.plural} "${name}" not found`);
    return held;
  }

  #of({ plural }: Kind): Map<string, Stored> {
    const held = this.#objects.get(plural) ?? new Map<string, Stored>();
    this.#objects.set(plural, held);
    return held;
  }

  #time(ahead = 0): string {
    return `${new Date(this.#clock.now() + ahead).toISOString().slice(0, 19)}Z`;
  }
}

/** Custom resources with the status subresource, as ours. */
function hasStatus({ group }: Kind): boolean {
  return group === "escriba.dev";
}

function matches({ metadata }: KubernetesObject, { namespace, labels }: Scope): boolean {
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  if (labels === undefined) return true;
  const [key = "", value] = labels.split("=");
  const held = metadata.labels?.[key];
  return value === undefined ? held !== undefined : held === value;
}

function conflict(name: string): ApiError {
  return new ApiError(409, "Conflict", `the object "${name}" has been modified`);
}

function expired(): ApiError {
  return new ApiError(410, "Expired", "too old resource version");
}
