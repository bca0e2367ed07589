import type { ExecutionContext } from "ava";
import { kubernetesContract, type Opened } from "../operator/kubernetes/contract.ts";
import { type PlaneWithPools, startPlaneWithPools } from "./plane-with-pools.ts";
import { clusterTest } from "./tier.ts";

const test = clusterTest();

let opened: PlaneWithPools;
test.before(async () => {
  opened = await startPlaneWithPools();
});
test.after.always(() => opened?.stop());

let namespaces = 0;

async function open(_: ExecutionContext): Promise<Opened> {
  namespaces += 1;
  const namespace = `contract-${namespaces}`;
  await opened.plane.createNamespace(namespace);
  return { api: opened.api, namespace };
}

kubernetesContract(test, "kube-apiserver", open);
