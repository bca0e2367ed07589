import {
  type DemandObservation,
  demandObservation,
  type Observation,
  observation,
  type PodObservation,
  type WorkerStatus,
} from "../../../operator/observation.ts";
import { podName } from "../../../operator/workerpool/pod-name.ts";

/** Observations for tests: every fact has a plain value, and a test says only what it is about. */

export const NOW = "2026-03-02T12:00:00.000Z";
/** Hash of the present template, and of the one before it. */
export const NEW = "newhash222";
export const OLD = "bldhash222";

/** The ISO time that many seconds after NOW; before it when negative. */
export const at = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1000).toISOString();

export type PartialDeep<T> = T extends unknown[] ? T : T extends object ? { [K in keyof T]?: PartialDeep<T[K]> } : T;
export type Spec = PartialDeep<Observation["pool"]["spec"]>;

export interface Given {
  now?: string;
  spec?: Spec;
  pool?: Partial<Omit<Observation["pool"], "spec" | "status">>;
  status?: Partial<Observation["pool"]["status"]>;
  pods?: PodObservation[];
  demand?: DemandObservation | null;
  demandError?: string | null;
  failures?: Observation["failures"];
}

export function observed(given: Given = {}): Observation {
  return observation.parse({
    now: given.now ?? NOW,
    pool: {
      namespace: "escriba",
      name: "speech",
      uid: "pool-uid",
      generation: 3,
      resourceVersion: "100",
      deleted: false,
      templateHash: NEW,
      templateCheck: { verdict: "Accepted", reason: "Accepted", message: "the API server accepts it" },
      ...given.pool,
      spec: {
        queues: ["speech"],
        demand: { url: "http://api:9464/internal/demand", tokenSecret: { name: "demand" } },
        ...given.spec,
      },
      status: given.status ?? {},
    },
    pods: given.pods ?? [],
    demand: given.demand === undefined ? waiting() : given.demand,
    demandError: given.demandError ?? null,
    failures: given.failures ?? [],
  });
}

/** What each organization has outstanding: [chunks, seconds], on queue `speech`. */
export function waiting(...organizations: [chunks: number, seconds: number][]): DemandObservation {
  return demandObservation.parse({
    observedAt: at(-1),
    organizations: organizations.map(([outstandingChunks, outstandingSeconds], index) => ({
      id: `organization-${index}`,
      queues: {
        speech: { outstandingChunks, outstandingSeconds, waitingSince: outstandingChunks > 0 ? at(-20) : null },
      },
      speechSlots: 32,
    })),
  });
}

const worker = (status: Partial<WorkerStatus> = {}): WorkerStatus => ({
  state: "serving",
  // An idle worker's polls hold permits.
  permits: 1,
  busy: 0,
  slots: 1,
  audioSecondsPerSecond: null,
  ...status,
});

/** A pod that serves and is idle, created two hours ago. */
export function pod(index: number, facts: Partial<PodObservation> = {}): PodObservation {
  const templateHash = facts.templateHash ?? NEW;
  const name = podName("speech", templateHash, index);
  return {
    name,
    uid: `uid-${name}`,
    resourceVersion: `${1000 + index}`,
    templateHash,
    index,
    createdAt: at(-7200),
    phase: "Running",
    reason: null,
    message: null,
    deletedAt: null,
    scheduledAt: at(-7190),
    gated: false,
    unschedulable: null,
    ready: true,
    readyChangedAt: at(-7150),
    running: true,
    waiting: null,
    restarts: 0,
    nodeLost: false,
    worker: worker(),
    ...facts,
  };
}

const from = (index: number, facts: Partial<PodObservation>, own: Partial<PodObservation>) =>
  pod(index, { ...facts, ...own });

export const idle = (index: number, own: Partial<PodObservation> = {}) => from(index, {}, own);
export const busy = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { worker: worker({ busy: 1 }) }, own);
/** Draining, and still at work. */
export const draining = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { ready: false, readyChangedAt: at(-5), worker: worker({ state: "draining", busy: 1 }) }, own);
/** Drained: no permits, no work. */
export const drained = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { ready: false, readyChangedAt: at(-5), worker: worker({ state: "draining", permits: 0 }) }, own);
/** Its containers run and nothing answers. */
export const silent = (index: number, own: Partial<PodObservation> = {}) => from(index, { worker: null }, own);
/** It runs and loads its models. */
export const starting = (index: number, own: Partial<PodObservation> = {}) =>
  from(
    index,
    {
      ready: false,
      createdAt: at(-10),
      scheduledAt: at(-10),
      readyChangedAt: at(-10),
      worker: worker({ state: "starting", permits: 0 }),
    },
    own,
  );
const WITHOUT_CONTAINERS: Partial<PodObservation> = {
  phase: "Pending",
  ready: false,
  running: false,
  worker: null,
  createdAt: at(-10),
  scheduledAt: at(-10),
  readyChangedAt: at(-10),
};
/** It has a node and pulls its image. */
export const pulling = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { ...WITHOUT_CONTAINERS, waiting: { reason: "ContainerCreating", message: "" } }, own);
/** The scheduler has found no node for it for two minutes. */
export const homeless = (index: number, own: Partial<PodObservation> = {}) =>
  from(
    index,
    {
      ...WITHOUT_CONTAINERS,
      createdAt: at(-121),
      scheduledAt: null,
      readyChangedAt: null,
      unschedulable: { since: at(-120), message: "0/3 nodes are available: 3 Insufficient nvidia.com/gpu." },
    },
    own,
  );
/** Somebody else, such as Kueue, decides when it may start. */
export const gated = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { ...WITHOUT_CONTAINERS, scheduledAt: null, readyChangedAt: null, gated: true }, own);
/** Its worker crashes again and again. */
export const crashing = (index: number, own: Partial<PodObservation> = {}) =>
  from(
    index,
    {
      ...WITHOUT_CONTAINERS,
      phase: "Running",
      restarts: 4,
      waiting: { reason: "CrashLoopBackOff", message: "back-off 40s restarting failed container" },
    },
    own,
  );
export const unpullable = (index: number, own: Partial<PodObservation> = {}) =>
  from(
    index,
    { ...WITHOUT_CONTAINERS, waiting: { reason: "ImagePullBackOff", message: 'Back-off pulling image "escriba:9"' } },
    own,
  );
export const evicted = (index: number, own: Partial<PodObservation> = {}) =>
  from(
    index,
    {
      phase: "Failed",
      ready: false,
      running: false,
      worker: null,
      reason: "Evicted",
      message: "The node was low on resource: memory.",
    },
    own,
  );
/** Deleted by somebody, and finishing what it does within its grace. */
export const terminating = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { deletedAt: at(-3), ready: false, worker: worker({ state: "draining", busy: 1 }) }, own);
/** Its node does not answer any more. */
export const lost = (index: number, own: Partial<PodObservation> = {}) =>
  from(index, { nodeLost: true, ready: false, readyChangedAt: at(-30), worker: null }, own);
