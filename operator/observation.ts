import * as z from "zod";
import { workerPoolSpec } from "./workerpool/spec.ts";
import { workerPoolStatus } from "./workerpool/status.ts";

/**
 * All that a decision looks at: one pool, its pods, what waits, and the time. It is written to the decision log as it
 * is, and `escriba operator replay` reads it back, so it holds no pod template (its environment may hold secrets),
 * only the template's hash. Times are ISO 8601 in UTC.
 */

const time = () => z.iso.datetime({ offset: true });

/** What a worker answers to `GET /status`, version 1, less what decisions do not need. */
export const workerStatus = z.object({
  state: z.enum(["starting", "serving", "draining"]),
  /** Slots that hold a task or are promised to a poll that is out. 0 while drained. */
  permits: z.int().min(0),
  /** Activities running. */
  busy: z.int().min(0),
  /** Activities it would run at a time. */
  slots: z.int().min(0),
  /** Audio-seconds a second a slot; null before the first is measured. */
  audioSecondsPerSecond: z.number().min(0).nullable(),
});

export const podObservation = z.object({
  name: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
  /** From the pod's label. */
  templateHash: z.string(),
  /** The n of `<pool>-<hash>-<n>`; null when the name is not of that form. */
  index: z.int().min(0).nullable(),
  createdAt: time(),
  phase: z.enum(["Pending", "Running", "Succeeded", "Failed", "Unknown"]),
  /** `status.reason`, e.g. Evicted; null when there is none. */
  reason: z.string().nullable(),
  /** `status.message`. */
  message: z.string().nullable(),
  /** When its deletion was asked (`metadata.deletionTimestamp`); null while it was not. */
  deletedAt: time().nullable(),
  /** When it got a node (condition PodScheduled); null before. */
  scheduledAt: time().nullable(),
  /** It has a scheduling gate (Kueue and the like): someone else decides when it may start. */
  gated: z.boolean(),
  /** Condition PodScheduled is False with reason Unschedulable. */
  unschedulable: z.object({ since: time(), message: z.string() }).nullable(),
  /** Condition Ready is True. */
  ready: z.boolean(),
  /** When condition Ready last changed; null when it has none. */
  readyChangedAt: time().nullable(),
  /** The container with the worker's port has been started and has not ended, as far as the kubelet has said. */
  running: z.boolean(),
  /** The worst reason a container, or an init container, waits for: ImagePullBackOff, CrashLoopBackOff… */
  waiting: z.object({ reason: z.string(), message: z.string() }).nullable(),
  /** Most restarts of one of its containers. */
  restarts: z.int().min(0),
  /** Its node is gone, or is not ready, or cannot be reached. */
  nodeLost: z.boolean(),
  /** What the worker answered, asked for this observation; null when it did not answer, or was not asked. */
  worker: workerStatus.nullable(),
});

const queueDemand = z.object({
  outstandingChunks: z.int().min(0),
  outstandingSeconds: z.number().min(0),
  waitingSince: time().nullable(),
});

/** What the API answers at `/internal/demand`, version 1. Queues of other pools may be in it. */
export const demandObservation = z.object({
  observedAt: time(),
  organizations: z.array(
    z.object({
      /** Hash of the organization's id. */
      id: z.string(),
      queues: z.record(z.string(), queueDemand),
      /** Slots this organization may use at a time. */
      speechSlots: z.int().min(0).optional(),
    }),
  ),
});

/** A pod that the API server did not let us create, since the last decision. */
export const createFailure = z.object({
  templateHash: z.string(),
  at: time(),
  /**
   * Quota: a ResourceQuota is used up. Admission: a webhook or policy refused it. Invalid: the pod is not valid.
   * NameTaken: a pod of this name exists that is not this pool's. Other: anything else that the API server answered.
   */
  reason: z.enum(["Quota", "Admission", "Invalid", "NameTaken", "Other"]),
  message: z.string(),
});

/** The dry run of this generation's template. */
export const templateCheck = z.object({
  verdict: z.enum(["Accepted", "Refused", "Unknown"]),
  /** One word: Accepted, Invalid, Admission, Quota, NotAsked… */
  reason: z.string(),
  message: z.string(),
});

export const observation = z.object({
  now: time(),
  pool: z.object({
    namespace: z.string(),
    name: z.string(),
    uid: z.string(),
    generation: z.int(),
    resourceVersion: z.string(),
    /** Its deletion was asked: nothing is created any more, and the garbage collector takes its pods. */
    deleted: z.boolean(),
    spec: workerPoolSpec.omit({ template: true }),
    /** `templateHash(spec)` of operator/workerpool/template-hash.ts. */
    templateHash: z.string(),
    templateCheck,
    status: workerPoolStatus,
  }),
  /** Every pod that this pool owns (controller reference with its uid), ended and terminating ones too. */
  pods: z.array(podObservation),
  /** The last answer; null when there was none yet. How old it may be is the decision's to say. */
  demand: demandObservation.nullable(),
  /** Why there is no newer answer, for the condition's message; null when the last question was answered. */
  demandError: z.string().nullable(),
  /** Creations that failed since the last decision. */
  failures: z.array(createFailure),
});

export type Observation = z.output<typeof observation>;
export type PodObservation = z.output<typeof podObservation>;
export type WorkerStatus = z.output<typeof workerStatus>;
export type DemandObservation = z.output<typeof demandObservation>;
export type CreateFailure = z.output<typeof createFailure>;
export type TemplateCheck = z.output<typeof templateCheck>;
