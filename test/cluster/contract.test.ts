import type { ExecutionContext } from "ava";
import { systemClock } from "../../operator/clock.ts";
import { connect } from "../../operator/kubernetes/connection.ts";
import { httpApi } from "../../operator/kubernetes/http-api.ts";
import { kubernetesContract, type Opened } from "../operator/kubernetes/contract.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { applyDefinition } from "./definition.ts";
import { clusterTest } from "./tier.ts";

const test = clusterTest();

let plane: ControlPlane;
let connection: ReturnType<typeof connect>;
test.before(async () => {
  plane = await startControlPlane();
  await applyDefinition(plane);
  connection = connect(plane.adminClient, systemClock);
});
test.after.always(async () => {
  await connection?.close();
  await plane?.stop();
});

let namespaces = 0;

async function open(_: ExecutionContext): Promise<Opened> {
  namespaces += 1;
  const namespace = `contract-${namespaces}`;
  await plane.createNamespace(namespace);
  return { api: httpApi(connection), namespace };
}

kubernetesContract(test, "kube-apiserver", open);
