import * as z from "zod";
import { API_VERSION, KIND } from "./group.ts";
import { workerPoolSpec } from "./spec.ts";
import { workerPoolStatus } from "./status.ts";

export type WorkerPoolSpec = z.output<typeof workerPoolSpec>;
export type WorkerPoolStatus = z.output<typeof workerPoolStatus>;
export type ScalingSpec = WorkerPoolSpec["scaling"];
export type ScalingPolicies = ScalingSpec["scaleUp"];
export type PodTemplate = WorkerPoolSpec["template"];
export type Condition = WorkerPoolStatus["conditions"][number];
export type ConditionType = Condition["type"];
export type Backoff = WorkerPoolStatus["backoff"][number];
export type Draining = WorkerPoolStatus["draining"][number];

const workerPool = z.object({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal(KIND),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string(),
    uid: z.string(),
    resourceVersion: z.string(),
    generation: z.int(),
    deletionTimestamp: z.string().optional(),
  }),
  spec: workerPoolSpec,
  // A status of a version that remembered other things is forgotten rather than in the way.
  status: workerPoolStatus.prefault({}).catch(() => workerPoolStatus.parse({})),
});

/** A WorkerPool as the operator works with it: every default filled in. */
export type WorkerPool = z.output<typeof workerPool>;

/**
 * A WorkerPool as the API server answers it. Fields that this version does not know are dropped.
 *
 * @throws z.ZodError when it is none; the API server's own schema should have refused it.
 */
export function parseWorkerPool(object: unknown): WorkerPool {
  return workerPool.parse(object);
}
