import { type ControlPlane, startControlPlane } from "../cluster/control-plane.ts";
import { startContainerd } from "./containerd.ts";
import { startDns } from "./dns.ts";
import type { Given } from "./given.ts";
import { startKubeProxy } from "./kube-proxy.ts";
import { NODE_NAME, startKubelet } from "./kubelet.ts";
import { NODE_ADDRESS, openNetwork } from "./network.ts";

export interface Node {
  plane: ControlPlane;
  name: string;
  /** Where pods reach what the node itself runs. */
  address: string;
  stop(): Promise<void>;
}

/**
 * A cluster of one real node in the namespaces that this process is in (`npm run test:node` makes them): control plane,
 * containerd, kubelet, kube-proxy and CoreDNS, with the images that were built. What `stop` leaves ends with the
 * namespaces.
 */
export async function startNode(given: Given): Promise<Node> {
  const parts = new AsyncDisposableStack();
  try {
    await openNetwork(given.directory);
    const plane = await startControlPlane({ address: NODE_ADDRESS });
    parts.defer(() => plane.stop());
    const containerd = await startContainerd(given.directory, {
      ...given.programs,
      sandboxImage: given.images.sandbox.name,
    });
    parts.defer(() => containerd.server.stop());
    for (const { archive } of Object.values(given.images)) await containerd.load(archive);
    const kubelet = await startKubelet(plane, given.directory, { endpoint: containerd.endpoint, cgroup: given.cgroup });
    parts.defer(() => kubelet.stop());
    const proxy = await startKubeProxy(plane, given.directory);
    parts.defer(() => proxy.stop());
    const dns = await startDns(plane, given.directory);
    parts.defer(() => dns.stop());
    const stopAll = parts.move();
    return { plane, name: NODE_NAME, address: NODE_ADDRESS, stop: () => stopAll.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/**
 * Lets the node say that it has GPUs: the kubelet takes the number over into what it may give away, and admits no more
 * pods than that. No pod gets to see one.
 */
export async function pretendGpus(node: Node, count: number): Promise<void> {
  const patch = { status: { capacity: { "nvidia.com/gpu": String(count) } } };
  await node.plane.kubectl(["patch", "node", node.name, "--subresource=status", "-p", JSON.stringify(patch)]);
  const path = "jsonpath={.status.allocatable.nvidia\\.com/gpu}";
  const allocatable = ["wait", `--for=${path}=${count}`, "node", node.name, "--timeout=120s"];
  await node.plane.kubectl(allocatable);
}
