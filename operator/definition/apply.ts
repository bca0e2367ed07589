import { fetch } from "undici";
import type { Clock } from "../clock.ts";
import type { Connection } from "../kubernetes/connection.ts";

/** By this name the API server knows which fields of the definition are ours. */
const FIELD_MANAGER = "escriba-crds";
const CALL_MS = 15_000;
/** The API server serves a new definition after a moment; one that is refused says so at once. */
const ESTABLISHED_MS = 30_000;
const LOOK_MS = 250;

interface Definition {
  status?: { conditions?: { type: string; status: string; reason?: string; message?: string }[] };
}

/**
 * Brings a custom resource definition to the form it has in this version, by server-side apply: whatever others have set
 * beside it stays, what stands against it is overwritten. `yaml` is sent as it is written, since the Kubernetes client's
 * typed objects lose rules and defaults. Resolves when the API server serves it. Rejects with its refusal, or when it is
 * not served after half a minute.
 */
export async function applyDefinition(connection: Connection, name: string, yaml: string, clock: Clock): Promise<void> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  await call(connection, "PATCH", `${path}?fieldManager=${FIELD_MANAGER}&force=true`, yaml);
  for (const begun = clock.monotonic(); ; ) {
    const conditions = (await call(connection, "GET", path)).status?.conditions ?? [];
    const refused = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
    if (refused) throw new Error(`${name}: ${refused.message ?? refused.reason}`);
    if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return;
    if (clock.monotonic() - begun > ESTABLISHED_MS) {
      throw new Error(`${name} is not served after ${ESTABLISHED_MS / 1000} s`);
    }
    await clock.sleep(LOOK_MS);
  }
}

async function call(connection: Connection, method: "GET" | "PATCH", path: string, body?: string): Promise<Definition> {
  const { headers, dispatcher } = await connection.credentials();
  const response = await fetch(`${connection.server}${path}`, {
    method,
    headers: { ...headers, accept: "application/json", "content-type": "application/apply-patch+yaml" },
    dispatcher,
    signal: AbortSignal.timeout(CALL_MS),
    ...(body !== undefined && { body }),
  });
  const answer = (await response.json()) as Definition & { message?: string };
  if (!response.ok) throw new Error(`the API server refused (${response.status}): ${answer.message}`);
  return answer;
}
