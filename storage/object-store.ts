import type { Readable } from "node:stream";

/**
 * Where bytes live: uploads, decoded audio, plans, window results. Disk on a laptop, S3 in production.
 * Keys are `/`-separated, made by storage/keys.ts only. A missing key rejects with ObjectNotFound.
 */
export interface ObjectStore {
  /**
   * Writes the whole body or nothing: a reader never sees half an object. A failed put destroys its stream. Answers the
   * bytes written.
   */
  put(
    key: string,
    body: Readable | Uint8Array | string,
    options?: { signal?: AbortSignal },
  ): Promise<{ bytes: number }>;
  /** `range` is in bytes, half-open [start, end). */
  get(key: string, options?: { range?: { start: number; end: number }; signal?: AbortSignal }): Promise<Readable>;
  /** Size in bytes, or null when absent. */
  head(key: string): Promise<{ bytes: number } | null>;
  list(prefix: string): AsyncIterable<string>;
  /** Deleting what is absent succeeds. */
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** Rejects when the store cannot be reached or written; for `/readyz`. */
  check(): Promise<void>;
}

export class ObjectNotFound extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`no object at ${key}`);
    this.name = "ObjectNotFound";
    this.key = key;
  }
}
