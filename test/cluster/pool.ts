import { API_VERSION, KIND } from "../../operator/workerpool/group.ts";

/** As YAML would say it. */
export interface PoolManifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { scaling?: Record<string, unknown>; template: Template };
}

interface Template {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
}

/** A pool of which every field is said that must be, and `changes` over its spec. */
export function poolManifest(name: string, namespace: string, changes: Record<string, unknown> = {}): PoolManifest {
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name, namespace },
    spec: {
      queues: ["speech"],
      demand: { url: "http://escriba.test/internal/demand", tokenSecret: { name: "tokens" } },
      template: workerTemplate(),
      ...changes,
    },
  };
}

/** A pod that asks for little; `image` and annotations make one template different from another. */
export function workerTemplate(
  options: { image?: string; cpu?: string; annotations?: Record<string, string>; env?: Record<string, string> } = {},
): Template {
  const { image = "worker:1", cpu = "100m", annotations, env = {} } = options;
  const container = {
    name: "worker",
    image,
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    ports: [{ name: "metrics", containerPort: 9464 }],
    resources: { requests: { cpu, memory: "64Mi" }, limits: { memory: "64Mi" } },
  };
  return { ...(annotations && { metadata: { annotations } }), spec: { containers: [container] } };
}
