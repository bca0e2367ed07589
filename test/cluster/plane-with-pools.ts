import { systemClock } from "../../operator/clock.ts";
import type { KubernetesApi } from "../../operator/kubernetes/api.ts";
import { connect } from "../../operator/kubernetes/connection.ts";
import { httpApi } from "../../operator/kubernetes/http-api.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { applyDefinition } from "./definition.ts";

/** A control plane that serves WorkerPools. */
export interface PlaneWithPools {
  plane: ControlPlane;
  /** As administrator. */
  api: KubernetesApi;
  stop(): Promise<void>;
}

export async function startPlaneWithPools(): Promise<PlaneWithPools> {
  const plane = await startControlPlane();
  try {
    await applyDefinition(plane);
  } catch (error) {
    await plane.stop();
    throw error;
  }
  const connection = connect(plane.adminClient, systemClock);
  return {
    plane,
    api: httpApi(connection),
    stop: async () => {
      await connection.close();
      await plane.stop();
    },
  };
}
