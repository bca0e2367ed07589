/**
 * The parts of Kubernetes' objects that the operator reads or writes, as they are on the wire (times are text). Fields
 * that are not named here pass through untouched: nothing is ever taken apart and put together again.
 */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

export interface ObjectList<T extends KubernetesObject> {
  /** The state of the store that the list shows. */
  resourceVersion: string;
  items: T[];
}

export type WatchEvent<T extends KubernetesObject> =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; object: T }
  /** Nothing changed; only `metadata.resourceVersion` of the object means something. */
  | { type: "BOOKMARK"; object: KubernetesObject };

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: { reason?: string; message?: string; exitCode?: number; finishedAt?: string };
}

export interface PodCondition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface Pod extends KubernetesObject {
  spec: {
    nodeName?: string;
    containers: { name: string; ports?: { name?: string; containerPort: number }[]; [field: string]: unknown }[];
    [field: string]: unknown;
  };
  status?: {
    phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
    reason?: string;
    message?: string;
    podIP?: string;
    startTime?: string;
    conditions?: PodCondition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
}

/** `autoscaling/v1`: what the scale subresource of any object shows and takes. */
export interface Scale extends KubernetesObject {
  spec: { replicas?: number };
}

export interface Lease extends KubernetesObject {
  spec: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** Core `v1` Event. */
export interface Event extends KubernetesObject {
  involvedObject: {
    apiVersion: string;
    kind: string;
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
  };
  type: "Normal" | "Warning";
  reason: string;
  message: string;
  source: { component: string };
  reportingComponent: string;
  reportingInstance: string;
  firstTimestamp: string;
  lastTimestamp: string;
  count: number;
}

export interface Secret extends KubernetesObject {
  /** Base64. */
  data?: Record<string, string>;
}

/** A WorkerPool as the server sends it: `parseWorkerPool` reads it, writes give it back as it is. */
export interface WorkerPoolObject extends KubernetesObject {
  spec: unknown;
  status?: unknown;
}
