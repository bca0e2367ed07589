import { setTimeout as sleep } from "node:timers/promises";
import {
  type KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  type V1CustomResourceDefinition,
} from "@kubernetes/client-node";

/** By this name the API server knows which fields of the definition are ours. */
const FIELD_MANAGER = "escriba-crds";
/** The API server serves a new definition after a moment; one that is refused says so at once. */
const ESTABLISHED_MS = 30_000;
const LOOK_MS = 250;

/**
 * Brings a custom resource definition to the form it has in this version, by server-side apply: whatever others have set
 * beside it stays, what stands against it is overwritten. Resolves when the API server serves it. Rejects with its
 * refusal, or when it is not served after half a minute.
 */
export async function applyDefinition(config: KubeConfig, definition: V1CustomResourceDefinition): Promise<void> {
  const api = KubernetesObjectApi.makeApiClient(config);
  const { name } = definition.metadata ?? {};
  const object = { ...definition, metadata: { ...definition.metadata, name: name ?? "" } };
  await api.patch(object, undefined, undefined, FIELD_MANAGER, true, PatchStrategy.ServerSideApply);
  for (let waited = 0; ; waited += LOOK_MS) {
    const { status } = (await api.read(object)) as V1CustomResourceDefinition;
    const conditions = status?.conditions ?? [];
    const refused = conditions.find(({ type, status: is }) => type === "NamesAccepted" && is === "False");
    if (refused) throw new Error(`${name}: ${refused.message ?? refused.reason}`);
    if (conditions.some(({ type, status: is }) => type === "Established" && is === "True")) return;
    if (waited >= ESTABLISHED_MS) throw new Error(`${name} is not served after ${ESTABLISHED_MS / 1000} s`);
    await sleep(LOOK_MS);
  }
}
