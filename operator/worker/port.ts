import type { WorkerStatus } from "../observation.ts";

/** What the operator asks of the worker in a pod, at its address without a path. Rejects when it does not answer. */
export interface WorkerPort {
  status(address: string, token: string | null): Promise<WorkerStatus>;
  /** It grants no more permits from now on; the answer is its status after that. Safe to repeat. */
  drain(address: string, token: string | null): Promise<WorkerStatus>;
  /** It takes work again. */
  undrain(address: string, token: string | null): Promise<WorkerStatus>;
}
