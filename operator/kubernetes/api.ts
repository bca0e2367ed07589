import type { KubernetesObject, ObjectList, Scale, WatchEvent } from "./objects.ts";
import type { Resource } from "./resources.ts";

/** Which objects of a resource: of one namespace or, without, of all; with these labels. */
export interface Scope {
  namespace?: string | undefined;
  /** A label selector, e.g. `escriba.dev/pool`. */
  labels?: string | undefined;
}

/** The object must still be this one, in this version; otherwise the server answers 409. */
export interface Preconditions {
  uid: string;
  resourceVersion: string;
}

/**
 * What the operator asks of an API server, and nothing more. Every call ends: by its answer, by an ApiError (the
 * server refused), or by NoAnswer after a time-out. Names and namespaces come from the objects.
 */
export interface KubernetesApi {
  /** The present state, read through to the store: never an old one out of the server's cache. */
  list<T extends KubernetesObject>(resource: Resource<T>, scope: Scope): Promise<ObjectList<T>>;
  /**
   * What changes after `resourceVersion`, until the server or the signal ends it. Throws ApiError 410 when that
   * version is too old, NoAnswer when the connection breaks in the middle.
   */
  watch<T extends KubernetesObject>(
    resource: Resource<T>,
    scope: Scope & { resourceVersion: string },
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
  get<T extends KubernetesObject>(resource: Resource<T>, namespace: string, name: string): Promise<T>;
  /** With `dryRun` everything is checked, by admission too, and nothing is kept. 409 AlreadyExists when it exists. */
  create<T extends KubernetesObject>(resource: Resource<T>, object: T, options?: { dryRun?: boolean }): Promise<T>;
  /** PUT. 409 Conflict unless `metadata.resourceVersion` is the present one. */
  replace<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T>;
  /** PUT of the status alone, on the same condition. */
  replaceStatus<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T>;
  /** PUT of the scale subresource, on the same condition. */
  replaceScale<T extends KubernetesObject>(resource: Resource<T>, scale: Scale): Promise<Scale>;
  /** JSON merge patch; with `metadata.resourceVersion` in it on the same condition. */
  patch<T extends KubernetesObject>(resource: Resource<T>, namespace: string, name: string, change: object): Promise<T>;
  /** 409 when a precondition does not hold, 404 when it is gone. */
  delete<T extends KubernetesObject>(
    resource: Resource<T>,
    namespace: string,
    name: string,
    preconditions: Preconditions,
  ): Promise<void>;
}

/** The server answered, and not with success. */
export class ApiError extends Error {
  override name = "ApiError";
  /** HTTP status. */
  readonly code: number;
  /** As Kubernetes words it, e.g. `AlreadyExists`, `Conflict`, `Forbidden`, `Expired`. */
  readonly reason: string;
  /** Seconds that the server asks to wait (429, 503); null when it does not say. */
  readonly retryAfter: number | null;

  constructor(code: number, reason: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** No whole answer came: of a write nobody knows whether it was done. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

export function isCode(error: unknown, ...codes: number[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
