import { hostname } from "node:os";
import * as z from "zod";
import { port, readSettings, SettingsError, shared } from "../process/settings.ts";

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Settings of `escriba operator`; the keys are the environment variables. */
export const schema = z.object({
  ESCRIBA_LOG_LEVEL: shared.ESCRIBA_LOG_LEVEL,
  ESCRIBA_OPERATOR_NAMESPACES: z
    .string()
    .default("")
    .describe(
      "Namespaces whose WorkerPools are looked after, separated by commas; empty means all, which takes a ClusterRole.",
    ),
  ESCRIBA_OPERATOR_LEASE_NAMESPACE: z
    .string()
    .regex(NAME, "is no name of a namespace")
    .default("default")
    .describe("Namespace of the Lease by which one of several operators leads; its own, in a cluster."),
  ESCRIBA_OPERATOR_LEASE_NAME: z
    .string()
    .regex(NAME, "is no name of a Lease")
    .max(253)
    .default("escriba-operator")
    .describe("Name of that Lease. Operators with the same one are replicas of each other."),
  ESCRIBA_OPERATOR_IDENTITY: z
    .string()
    .max(200)
    .default("")
    .describe(
      "What this process calls itself in the Lease and in Events, its pod's name say; empty means the host's name.",
    ),
  KUBECONFIG: z
    .string()
    .default("")
    .describe("kubeconfig file; empty means the pod's service account, or ~/.kube/config outside of a cluster."),
  ESCRIBA_METRICS_HOST: shared.ESCRIBA_METRICS_HOST,
  ESCRIBA_METRICS_PORT: port().default(9464).describe("Port of /metrics, /livez, /readyz and /decisions; 0 means any."),
});

export interface OperatorConfig {
  logLevel: string;
  /** Empty: all. */
  namespaces: readonly string[];
  lease: { namespace: string; name: string };
  /** For people; what makes it unlike others is added. */
  identity: string;
  /** Path of a file; empty for where the client looks by itself. */
  kubeconfig: string;
  metrics: { host: string; port: number };
}

/** Throws SettingsError with what to change. */
export function operatorConfig(environment: Record<string, string | undefined>): OperatorConfig {
  const settings = readSettings(schema, environment);
  const namespaces = settings.ESCRIBA_OPERATOR_NAMESPACES.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const wrong = namespaces.find((name) => !NAME.test(name));
  if (wrong !== undefined) {
    throw new SettingsError(
      `settings are not usable:\n  ESCRIBA_OPERATOR_NAMESPACES: "${wrong}" is no name of a namespace`,
    );
  }
  return Object.freeze({
    logLevel: settings.ESCRIBA_LOG_LEVEL,
    namespaces: [...new Set(namespaces)],
    lease: { namespace: settings.ESCRIBA_OPERATOR_LEASE_NAMESPACE, name: settings.ESCRIBA_OPERATOR_LEASE_NAME },
    identity: settings.ESCRIBA_OPERATOR_IDENTITY || hostname(),
    kubeconfig: settings.KUBECONFIG,
    metrics: { host: settings.ESCRIBA_METRICS_HOST, port: settings.ESCRIBA_METRICS_PORT },
  });
}
