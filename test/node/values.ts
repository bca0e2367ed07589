import type { Services } from "./services.ts";

/** GPUs that the node says it has: as many as the speech pool may grow to, and one for a rollout. */
export const GPUS = 3;
export const MOST_SPEECH_PODS = 2;

/**
 * The values of docs/install.md, for a node of two cores: requests are small, and nothing is waited for that only a
 * larger cluster needs.
 */
export function values(services: Services, address: string): object {
  const here = [{ ipBlock: { cidr: `${address}/32` } }];
  // What each gets of two busy cores goes by its request: with much less, a worker misses its heartbeats. All pods of an
  // upgrade fit beside the old ones.
  const small = (cpu: string, memory: string, limit: string) => ({
    resources: { requests: { cpu, memory }, limits: { memory: limit } },
  });
  const port = (url: string) => Number(new URL(url).port);
  return {
    image: { registry: "registry.example.com" },
    database: { port: port(services.databaseUrl) },
    temporal: { address: services.temporalAddress, namespace: "escriba" },
    objectStore: { url: services.storeUrl },
    networkPolicy: { database: here, temporal: here, objectStore: here },
    modelCache: { type: "claim", prefetch: "never", claim: { existingClaim: "models" } },
    language: small("120m", "128Mi", "768Mi"),
    api: { graceSeconds: 30, preStopSeconds: 3, ...small("150m", "128Mi", "1Gi") },
    transcripts: { replicas: 1, graceSeconds: 30, ...small("200m", "128Mi", "1Gi") },
    webhooks: { replicas: 1, graceSeconds: 30, ...small("30m", "128Mi", "768Mi") },
    fetch: { replicas: 1, graceSeconds: 30, ...small("30m", "128Mi", "768Mi") },
    operator: small("30m", "128Mi", "384Mi"),
    migrate: small("30m", "128Mi", "384Mi"),
    media: {
      scaling: { minReplicas: 1, maxReplicas: 1 },
      ...small("200m", "256Mi", "1536Mi"),
    },
    speech: {
      threads: 1,
      scaling: {
        minReplicas: 0,
        maxReplicas: MOST_SPEECH_PODS,
        // Any backlog of short recordings is to be worth a second pod, also on a fast machine.
        targetWaitSeconds: 1,
        extra: { scaleDown: { stabilizationWindowSeconds: 10 } },
      },
      resources: {
        requests: { cpu: "150m", memory: "1Gi" },
        limits: { memory: "4Gi", "nvidia.com/gpu": 1 },
      },
      nodeSelector: { accelerator: "nvidia-l4" },
      tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }],
    },
  };
}
