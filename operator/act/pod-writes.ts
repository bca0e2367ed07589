import type { Clock } from "../clock.ts";
import { ApiError, isCode, type KubernetesApi } from "../kubernetes/api.ts";
import type { Pod, WorkerPoolObject } from "../kubernetes/objects.ts";
import { PODS } from "../kubernetes/resources.ts";
import type { CreateFailure } from "../observation.ts";
import type { ObjectCaches } from "../observe/object-caches.ts";
import { isOwnedBy } from "../observe/pod.ts";
import type { ReadPool } from "../observe/read-pool.ts";
import type { WorkerAnswers } from "../observe/worker-answers.ts";
import type { Action } from "../plan.ts";
import type { WorkerPort } from "../worker/port.ts";
import type { EventRecorder } from "./events.ts";
import { podBody } from "./pod-body.ts";
import { refusalReason } from "./refusal.ts";
import { isDrained } from "./worker-writes.ts";

/** What a plan is carried out with. */
export interface PodWrites {
  api: KubernetesApi;
  clock: Clock;
  /** Throws LeaseLost. */
  lease: { check(): void };
  worker: WorkerPort;
  answers: WorkerAnswers;
  pods: Pick<ObjectCaches<Pod>, "get" | "wrote" | "deleting">;
  pools: Pick<ObjectCaches<WorkerPoolObject>, "wrote">;
  events: EventRecorder;
  drainToken(): Promise<string | null>;
  /** A creation that the server refused, for the next observation. */
  failed(failure: CreateFailure): void;
  /** A pod that was drained is on its way out, so long after it was asked. */
  drained(pod: { uid: string }): void;
  decideAgain(): void;
  onFault(what: string, error: unknown): void;
}

type Of<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/**
 * The name makes it safe to repeat: a pod of that name that is the pool's own is what was wanted. Answers whether one was
 * made now.
 */
export async function createPod(
  target: ReadPool,
  { pod: name, templateHash }: Of<"create">,
  writes: PodWrites,
): Promise<boolean> {
  const { api, clock, pods, failed } = writes;
  const { namespace, uid } = target.pool.metadata;
  const fail = (reason: CreateFailure["reason"], message: string) =>
    failed({ templateHash, at: new Date(clock.now()).toISOString(), reason, message: message.slice(0, 2_000) });
  try {
    pods.wrote(await api.create(PODS, podBody(target.pool, templateHash, name)));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === "AlreadyExists") {
      const present = await api.get(PODS, namespace, name);
      if (isOwnedBy(present, uid)) pods.wrote(present);
      else fail("NameTaken", `pod ${name} exists and is not of this pool`);
      return false;
    }
    const reason = refusalReason(error);
    if (reason === null) throw error;
    fail(reason, error.message);
    return false;
  }
}

/**
 * With both preconditions, so that the server refuses when anything happened to the pod since it was looked at. A
 * worker that was found drained is asked once more at the last moment.
 */
export async function deletePod({ pool }: ReadPool, action: Of<"delete">, writes: PodWrites): Promise<boolean> {
  const { api, clock, lease, pods } = writes;
  const pod = pods.get(pool.metadata.namespace, action.pod);
  if (pod?.metadata.uid !== action.uid) return false;
  if (action.reason === "Drained") {
    if (!(await isDrained(pod, pool.spec.drain.port, writes))) return false;
    lease.check();
  }
  try {
    const { uid, resourceVersion } = action;
    await api.delete(PODS, pool.metadata.namespace, action.pod, { uid, resourceVersion });
  } catch (error) {
    // Gone, or something happened to it: the next decision looks again.
    if (isCode(error, 404, 409)) return false;
    throw error;
  }
  pods.deleting(pod, new Date(clock.now()).toISOString());
  if (action.reason === "Drained") writes.drained(action);
  return true;
}
