import { join } from "node:path";
import type { ControlPlane } from "./control-plane.ts";

/** The definition of WorkerPools, as the chart carries it. */
export const DEFINITION = join(import.meta.dirname, "../../charts/escriba/crds/workerpools.escriba.dev.yaml");

/** Resolves when WorkerPools are served. */
export async function applyDefinition(plane: ControlPlane): Promise<void> {
  await plane.kubectl(["apply", "--server-side", "-f", DEFINITION]);
  // Not --for=condition: that fails on a definition so new that it has no conditions at all.
  const established = '--for=jsonpath={.status.conditions[?(@.type=="Established")].status}=True';
  await plane.kubectl(["wait", established, "crd/workerpools.escriba.dev", "--timeout=60s"]);
}
