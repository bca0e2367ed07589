import { buffer, text } from "node:stream/consumers";
import type { Plan } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import { ObjectNotFound, type ObjectStore } from "../../storage/object-store.ts";
import { StepFailed } from "../failures.ts";

/** A JSON object of the store, or null when it is absent. Rejects with `store_failed`. */
export async function readObject<T>(store: ObjectStore, key: string, signal?: AbortSignal): Promise<T | null> {
  try {
    return JSON.parse(await text(await store.get(key, { signal }))) as T;
  } catch (error) {
    if (error instanceof ObjectNotFound) return null;
    throw inStore(error, signal);
  }
}

export async function writeObject(store: ObjectStore, key: string, value: unknown): Promise<void> {
  await store.put(key, JSON.stringify(value)).catch((error) => {
    throw inStore(error);
  });
}

/** An object as it is, or null when it is absent. Rejects with `store_failed`. */
export async function readBytes(store: ObjectStore, key: string, signal?: AbortSignal): Promise<Uint8Array | null> {
  try {
    return await buffer(await store.get(key, { signal }));
  } catch (error) {
    if (error instanceof ObjectNotFound) return null;
    throw inStore(error, signal);
  }
}

export async function writeBytes(store: ObjectStore, key: string, value: Uint8Array): Promise<void> {
  await store.put(key, value).catch((error) => {
    throw inStore(error);
  });
}

/** Every step after `prepare` needs it; without it the working objects are gone, which no repeat mends. */
export async function readPlan(store: ObjectStore, transcriptId: string, signal?: AbortSignal): Promise<Plan> {
  const plan = await readObject<Plan>(store, keys.plan(transcriptId), signal);
  if (!plan) throw new StepFailed("source_missing", new Error("plan.json is gone"));
  return plan;
}

/** What a failing store looks like to a step: its own cancellation stays what it is. */
export function inStore(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ObjectNotFound) return new StepFailed("source_missing", error);
  return error instanceof StepFailed ? error : new StepFailed("store_failed", error);
}
