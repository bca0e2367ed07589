import type { ContainerStatus, Pod, PodCondition } from "../kubernetes/objects.ts";
import type { PodObservation, WorkerStatus } from "../observation.ts";
import { TEMPLATE_HASH_LABEL } from "../workerpool/group.ts";
import { podIndex } from "../workerpool/pod-name.ts";

/** Past the end of its grace a live node's kubelet has long ended a pod. */
const LOST_AFTER_MS = 60_000;

export interface PodContext {
  /** Name of the pool. */
  pool: string;
  /** Name of the port that the worker answers on. */
  port: string;
  /** Milliseconds since 1970. */
  now: number;
  worker: WorkerStatus | null;
}

/** A pod as decisions see it. Containers that others have put into it, a mesh's proxy say, are looked past. */
export function observePod(pod: Pod, { pool, port, now, worker }: PodContext): PodObservation {
  const { metadata, status = {} } = pod;
  const templateHash = metadata.labels?.[TEMPLATE_HASH_LABEL] ?? "";
  const scheduled = condition(pod, "PodScheduled");
  const ready = condition(pod, "Ready");
  const createdAt = metadata.creationTimestamp ?? new Date(now).toISOString();
  const containers = status.containerStatuses ?? [];
  return {
    name: metadata.name,
    uid: metadata.uid ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    templateHash,
    index: podIndex(pool, templateHash, metadata.name),
    createdAt,
    phase: status.phase ?? "Unknown",
    reason: status.reason ?? null,
    message: status.message ?? null,
    deletedAt: metadata.deletionTimestamp ?? null,
    scheduledAt: pod.spec.nodeName ? (scheduled?.lastTransitionTime ?? createdAt) : null,
    gated: scheduled?.status === "False" && scheduled.reason === "SchedulingGated",
    unschedulable:
      scheduled?.status === "False" && scheduled.reason === "Unschedulable"
        ? { since: scheduled.lastTransitionTime ?? createdAt, message: scheduled.message ?? "" }
        : null,
    ready: ready?.status === "True",
    readyChangedAt: ready?.lastTransitionTime ?? null,
    running: runs(workerContainer(pod, port)),
    waiting: worstWait([...(status.initContainerStatuses ?? []), ...containers]),
    restarts: Math.max(0, ...containers.map(({ restartCount = 0 }) => restartCount)),
    nodeLost: isNodeLost(pod, now),
    worker,
  };
}

/** Whether the pool of this uid is the pod's controller. */
export function isOwnedBy({ metadata }: Pod, uid: string): boolean {
  return metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) ?? false;
}

/** Where the worker of a pod answers; null while it has no address or no container is said to run. */
export function workerAddress(pod: Pod, port: string): string | null {
  const { podIP, phase } = pod.status ?? {};
  const number = pod.spec.containers
    .flatMap(({ ports = [] }) => ports)
    .find(({ name }) => name === port)?.containerPort;
  if (!podIP || phase !== "Running" || number === undefined || !runs(workerContainer(pod, port))) return null;
  return `http://${podIP.includes(":") ? `[${podIP}]` : podIP}:${number}`;
}

/** The status of the container that has the worker's port. */
function workerContainer(pod: Pod, port: string): ContainerStatus | undefined {
  const named = pod.spec.containers.find(({ ports = [] }) => ports.some(({ name }) => name === port));
  return pod.status?.containerStatuses?.find(({ name }) => name === named?.name);
}

/** A container that has ended may be started again at any moment, unless it waits to be. */
function runs(container: ContainerStatus | undefined): boolean {
  if (!container?.state) return false;
  return container.state.running !== undefined;
}

/** Waiting for the others of its pod is the usual course. */
const USUAL = ["ContainerCreating", "PodInitializing"];

function worstWait(containers: ContainerStatus[]): PodObservation["waiting"] {
  const waits = containers.flatMap(({ state }) => (state?.waiting?.reason ? [state.waiting] : []));
  const worst = waits.find(({ reason }) => !USUAL.includes(reason as string)) ?? waits[0];
  return worst ? { reason: worst.reason as string, message: worst.message ?? "" } : null;
}

/**
 * Pods alone tell it, so that no right to see nodes is needed: a node that falls silent makes its controller set Ready to
 * False and nothing else, while a kubelet sets ContainersReady with it; and a pod whose deletion does not end.
 */
function isNodeLost(pod: Pod, now: number): boolean {
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp && now > Date.parse(deletionTimestamp) + LOST_AFTER_MS) return true;
  if (pod.status?.reason === "NodeLost") return true;
  const ready = condition(pod, "Ready");
  return (
    ready?.status === "False" &&
    ready.reason !== "ReadinessGatesNotReady" &&
    condition(pod, "ContainersReady")?.status === "True"
  );
}

function condition({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}
