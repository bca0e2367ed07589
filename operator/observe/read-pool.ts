import type { WorkerPoolObject } from "../kubernetes/objects.ts";
import { templateHash } from "../workerpool/template-hash.ts";
import { parseWorkerPool, type WorkerPool } from "../workerpool/types.ts";

/** A pool as it was read, as the server sent it, and the hash of its template. */
export interface ReadPool {
  pool: WorkerPool;
  object: WorkerPoolObject;
  templateHash: string;
}

/** Objects out of a cache are never changed, and looked at every two seconds. */
const read = new WeakMap<WorkerPoolObject, ReadPool>();

/** @throws z.ZodError when it is no WorkerPool that this version understands. */
export function readPool(object: WorkerPoolObject): ReadPool {
  const known = read.get(object);
  if (known) return known;
  const pool = parseWorkerPool(object);
  const result = { pool, object, templateHash: templateHash(pool.spec) };
  read.set(object, result);
  return result;
}
