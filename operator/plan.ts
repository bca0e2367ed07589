import type { DecisionReason } from "./workerpool/reasons.ts";
import type { Draining, WorkerPoolStatus } from "./workerpool/types.ts";

/**
 * What a decision wants done, as data. The actions are to be done in their order; one that fails does not keep the
 * others from being tried, and what came of it shows in the next observation.
 */
export interface Plan {
  actions: Action[];
  /** The whole next status; written once, with the pool's resourceVersion, when it differs from the observed one. */
  status: WorkerPoolStatus;
  /** `status` differs from the observed one. */
  statusChanged: boolean;
  decision: Decision;
  /** Kubernetes Events to write on the pool; only of what is new with this decision. */
  events: PoolEvent[];
}

export type Action =
  /** PUT on `/scale`. Only in `Auto`. */
  | { kind: "scale"; from: number; to: number }
  /** `DELETE /drain` on the pod's worker: it is needed after all. */
  | { kind: "undrain"; pod: string; uid: string }
  /** `POST /drain` on the pod's worker. It is not deleted before a later observation finds it without permits or work. */
  | { kind: "drain"; pod: string; uid: string; reason: Draining["reason"] }
  /** DELETE with both preconditions: whatever happened to the pod since it was observed makes the server refuse. */
  | { kind: "delete"; pod: string; uid: string; resourceVersion: string; reason: DeleteReason }
  /** POST of the pool's present template. A pod of that name that is already this pool's counts as success. */
  | { kind: "create"; pod: string; index: number; templateHash: string };

/**
 * Drained: no permits, no work. NotStarted: its worker never ran. Ended: Failed or Succeeded, to be replaced.
 */
export type DeleteReason = "Drained" | "NotStarted" | "Ended";

export interface Decision {
  reason: DecisionReason;
  /** A sentence with the numbers. */
  message: string;
  /** `spec.replicas` as observed. */
  current: number;
  /** Pods wanted now. */
  desired: number;
  /** Another reason or count than `status.decision`, or something to do: worth a log line and an entry at `/decisions`. */
  changed: boolean;
  counts: PodCounts;
  inputs: DecisionInputs;
}

/** Pods by what they are to the decision. Terminating and ended ones are in no other count. */
export interface PodCounts {
  /** Of the present template, and alive. */
  updated: number;
  /** Of another template, and alive. */
  old: number;
  ready: number;
  /** At work, or not answering and therefore maybe at work. */
  busy: number;
  draining: number;
  /** Not started: no node yet, gated, pulling its image, or waiting after a crash. */
  pending: number;
  /** Started, but not answering. */
  unreachable: number;
  terminating: number;
  ended: number;
}

export interface DecisionInputs {
  /** Age of the demand in seconds; null when there is none. */
  demandAgeSeconds: number | null;
  outstandingChunks: number;
  outstandingSeconds: number;
  /** Each organization's slots, summed. */
  slots: number;
  /** Each organization's seconds, no more than its slots do in the wait, summed. */
  seconds: number;
  /** Audio-seconds a second a slot that was reckoned with. */
  speed: number;
  /** Pods that the slots want, that the seconds want. */
  bySlots: number;
  bySeconds: number;
  /** Pods wanted before limits and policies. */
  wanted: number;
}

export interface PoolEvent {
  type: "Normal" | "Warning";
  /** One word. */
  reason: string;
  message: string;
}
