import { join } from "node:path";
import type { ControlPlane } from "./control-plane.ts";

const CHART = join(import.meta.dirname, "../../charts/escriba");
const NAME = "escriba-operator";

/**
 * The operator's own service account in a namespace, with the rights that the chart gives it and no others; `secrets`
 * are those that it may read besides the chart's own. Answers what makes a kubeconfig of it, for the API server or for
 * what stands at `server` in its place.
 */
export async function operatorAccount(
  plane: ControlPlane,
  namespace: string,
  secrets: readonly string[],
): Promise<(server?: string) => Promise<string>> {
  const templates = ["operator/rbac.yaml", "workers/service-accounts.yaml"].flatMap((file) => [
    "-s",
    `templates/${file}`,
  ]);
  const values = ["--set-json", `operator.tokenSecrets=${JSON.stringify(secrets)}`];
  const objects = await plane.helm(["template", "escriba", CHART, "-n", namespace, ...templates, ...values]);
  await plane.kubectl(["apply", "-n", namespace, "-f", "-"], objects);
  return (server) => plane.kubeconfigFor(NAME, namespace, server);
}
