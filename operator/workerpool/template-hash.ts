import { createHash } from "node:crypto";
import type { WorkerPoolSpec } from "./types.ts";

/** No vowels and no look-alikes, as in Kubernetes' own suffixes: no word comes out by accident. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const LENGTH = 10;

/**
 * Ten characters that change when pods of the template would have to be replaced: over `template.spec` and those of
 * its annotations that `rollout.restartOnAnnotations` names. Labels and other annotations are left out, so that a
 * chart's version label does not restart workers; so is what the API server and its webhooks add to a pod, since the
 * template is looked at and not the pod. The order of keys does not matter.
 */
export function templateHash({ template, rollout }: Pick<WorkerPoolSpec, "template" | "rollout">): string {
  const annotations = Object.fromEntries(
    rollout.restartOnAnnotations.flatMap((name) => {
      const value = template.metadata?.annotations?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const digest = createHash("sha256")
    .update(canonical({ spec: template.spec, annotations }))
    .digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** JSON with the keys of every object sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
