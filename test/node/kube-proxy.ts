import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlane } from "../cluster/control-plane.ts";
import { Server } from "../cluster/server.ts";
import { freePorts } from "../support/free-ports.ts";
import { NODE_NAME } from "./kubelet.ts";
import { NODE_ADDRESS, PODS } from "./network.ts";

/** Makes Services' addresses lead to their pods, for pods and for the node's own processes. */
export async function startKubeProxy(plane: ControlPlane, directory: string): Promise<Server> {
  const [healthPort, metricsPort] = await freePorts(2);
  const config = join(directory, "kube-proxy.json");
  await writeFile(
    config,
    JSON.stringify({
      apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
      kind: "KubeProxyConfiguration",
      mode: "iptables",
      hostnameOverride: NODE_NAME,
      clientConnection: { kubeconfig: await plane.kubeconfigOfUser("system:kube-proxy") },
      detectLocalMode: "ClusterCIDR",
      clusterCIDR: PODS,
      bindAddress: NODE_ADDRESS,
      healthzBindAddress: `127.0.0.1:${healthPort}`,
      metricsBindAddress: `127.0.0.1:${metricsPort}`,
      // The table's size is the machine's, not the namespace's.
      conntrack: { maxPerCore: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    }),
  );
  const server = new Server("kube-proxy", [`--config=${config}`], directory, async () => {
    const answer = await fetch(`http://127.0.0.1:${healthPort}/healthz`, { signal: AbortSignal.timeout(2_000) });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await server.start();
  return server;
}
