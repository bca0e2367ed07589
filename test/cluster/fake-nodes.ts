import { randomInt } from "node:crypto";
import { join } from "node:path";
import { CoreV1Api, type V1Node } from "@kubernetes/client-node";
import { freePorts } from "../support/free-ports.ts";
import type { ControlPlane } from "./control-plane.ts";
import { Server } from "./server.ts";

const MANAGED = "kwok.x-k8s.io/node";

/** Annotation of a pod by which `kwok/stages.yaml` decides what becomes of it. */
export const FATE = "test.escriba.dev/fate";

export interface NodeSize {
  cpu?: string;
  memory?: string;
  pods?: number;
  /** `nvidia.com/gpu`. */
  gpus?: number;
}

export interface FakeNodes {
  add(name: string, size?: NodeSize): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Nodes without machines (KWOK): the scheduler fills them, and pods on them run at once, in name only. Each pod's address
 * is one of its own on loopback (127.0.0.0/8, which Linux answers for whole), where a test may serve what the pod would.
 */
export async function startFakeNodes(plane: ControlPlane): Promise<FakeNodes> {
  const core = plane.adminClient.makeApiClient(CoreV1Api);
  const [port = 0] = await freePorts(1);
  const flags = [
    `--kubeconfig=${plane.kubeconfig}`,
    `--config=${join(import.meta.dirname, "kwok", "stages.yaml")}`,
    `--manage-nodes-with-annotation-selector=${MANAGED}=fake`,
    // Another cluster beside this one deals other addresses, most likely.
    `--cidr=127.${randomInt(16, 255)}.${randomInt(0, 255)}.1/24`,
    ...["--node-ip=127.0.0.1", `--server-address=127.0.0.1:${port}`],
    // The node's heartbeat is a lease, as a kubelet's.
    "--node-lease-duration-seconds=40",
  ];
  const kwok = new Server("kwok", flags, plane.directory, async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await kwok.start();
  return {
    add: async (name, size = {}) => {
      await core.createNode({ body: node(name, size) });
    },
    stop: () => kwok.stop(),
  };
}

function node(name: string, { cpu = "32", memory = "256Gi", pods = 110, gpus }: NodeSize): V1Node {
  const capacity = { cpu, memory, pods: String(pods), ...(gpus !== undefined && { "nvidia.com/gpu": String(gpus) }) };
  return {
    metadata: { name, annotations: { [MANAGED]: "fake" }, labels: { "kubernetes.io/hostname": name } },
    status: { capacity, allocatable: capacity },
  };
}
