import type { Pod } from "../kubernetes/objects.ts";
import { PODS } from "../kubernetes/resources.ts";
import { workerAddress } from "../observe/pod.ts";
import type { ReadPool } from "../observe/read-pool.ts";
import type { Action } from "../plan.ts";
import type { PodWrites } from "./pod-writes.ts";

type Of<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** Changed before a pod is taken back from its drain. */
const UNDRAINED = "escriba.dev/undrained-at";

/** Asks a pod's worker to take no more work. */
export async function drainPod({ pool }: ReadPool, action: Of<"drain">, writes: PodWrites): Promise<boolean> {
  const found = find(pool.metadata.namespace, action, pool.spec.drain.port, writes);
  if (!found) return false;
  const token = await writes.drainToken();
  writes.lease.check();
  writes.answers.took(action.uid, await writes.worker.drain(found.address, token));
  return true;
}

/**
 * Lets a pod's worker take work again. First the pod gets a new version: a deletion that was decided on before, by a
 * leader that does not know yet that it is none, then fails its precondition.
 */
export async function undrainPod({ pool }: ReadPool, action: Of<"undrain">, writes: PodWrites): Promise<boolean> {
  const { api, clock, lease, pods, worker, answers } = writes;
  const { namespace } = pool.metadata;
  const found = find(namespace, action, pool.spec.drain.port, writes);
  if (!found) return false;
  const { resourceVersion, uid } = found.pod.metadata;
  const annotations = { [UNDRAINED]: new Date(clock.now()).toISOString() };
  pods.wrote(await api.patch(PODS, namespace, action.pod, { metadata: { uid, resourceVersion, annotations } }));
  const token = await writes.drainToken();
  lease.check();
  // Whatever comes of it, what was known of the worker is over.
  answers.forget(action.uid);
  answers.took(action.uid, await worker.undrain(found.address, token));
  return true;
}

/** Asks now. Rejects when it does not answer: then nobody knows. */
export async function isDrained(pod: Pod, port: string, writes: PodWrites): Promise<boolean> {
  const { answers, drainToken, worker } = writes;
  const address = workerAddress(pod, port);
  if (!address || !pod.metadata.uid) return false;
  const status = await worker.status(address, await drainToken());
  answers.took(pod.metadata.uid, status);
  return status.state === "draining" && status.permits === 0 && status.busy === 0;
}

function find(
  namespace: string,
  { pod: name, uid }: { pod: string; uid: string },
  port: string,
  { pods }: PodWrites,
): { pod: Pod; address: string } | undefined {
  const pod = pods.get(namespace, name);
  if (pod?.metadata.uid !== uid) return undefined;
  const address = workerAddress(pod, port);
  return address === null ? undefined : { pod, address };
}
