import { join } from "node:path";
import type { ControlPlane } from "./control-plane.ts";

/** The definition of WorkerPools, as the chart carries it. */
export const DEFINITION = join(import.meta.dirname, "../../charts/escriba/crds/workerpools.escriba.dev.yaml");

/** Resolves when WorkerPools are served. */
export async function applyDefinition(plane: ControlPlane): Promise<void> {
  await plane.kubectl(["apply", "--server-side", "-f", DEFINITION]);
  await plane.kubectl(["wait", "--for=condition=Established", "crd/workerpools.escriba.dev", "--timeout=60s"]);
}
