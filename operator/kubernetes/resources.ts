import { GROUP, KIND, PLURAL, VERSION } from "../workerpool/group.ts";
import type { Event, KubernetesObject, Lease, Pod, Secret, WorkerPoolObject } from "./objects.ts";

/** A kind of objects as the API server's paths name it. All that the operator touches live in a namespace. */
export interface Resource<T extends KubernetesObject> {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
  /** Never set: ties the type of the objects to the resource. */
  object?: T;
}

export const PODS: Resource<Pod> = { group: "", version: "v1", plural: "pods", kind: "Pod" };
export const EVENTS: Resource<Event> = { group: "", version: "v1", plural: "events", kind: "Event" };
export const LEASES: Resource<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
};

export const SECRETS: Resource<Secret> = { group: "", version: "v1", plural: "secrets", kind: "Secret" };
export const WORKER_POOLS: Resource<WorkerPoolObject> = { group: GROUP, version: VERSION, plural: PLURAL, kind: KIND };

/** `v1`, or `group/v1`. */
export function apiVersion({ group, version }: Resource<KubernetesObject>): string {
  return group === "" ? version : `${group}/${version}`;
}
