import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlane } from "../cluster/control-plane.ts";
import { Server } from "../cluster/server.ts";
import { CLUSTER_DNS, CLUSTER_DOMAIN } from "./dns.ts";
import { NODE_ADDRESS } from "./network.ts";

export const NODE_NAME = "node-1";

/** Resolves when the API server calls the node ready. `cgroup`: below which it makes the pods' control groups. */
export async function startKubelet(
  plane: ControlPlane,
  directory: string,
  { endpoint, cgroup }: { endpoint: string; cgroup: string },
): Promise<Server> {
  const serving = await plane.pki.serve("kubelet", [NODE_NAME, NODE_ADDRESS]);
  const resolver = join(directory, "resolv.conf");
  await writeFile(resolver, `nameserver ${NODE_ADDRESS}\n`);
  const config = join(directory, "kubelet.json");
  await writeFile(
    config,
    JSON.stringify({
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      address: NODE_ADDRESS,
      readOnlyPort: 0,
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: plane.pki.authorityFile },
      },
      authorization: { mode: "Webhook" },
      tlsCertFile: serving.certFile,
      tlsPrivateKeyFile: serving.keyFile,
      containerRuntimeEndpoint: endpoint,
      clusterDomain: CLUSTER_DOMAIN,
      clusterDNS: [CLUSTER_DNS],
      resolvConf: resolver,
      podLogsDir: join(directory, "pod-logs"),
      volumePluginDir: join(directory, "volume-plugins"),
      // Containers that build have neither systemd nor always the second version of control groups.
      cgroupDriver: "cgroupfs",
      cgroupRoot: cgroup,
      failCgroupV1: false,
      failSwapOn: false,
      enforceNodeAllocatable: [],
      oomScoreAdj: 0,
      // Nothing can be pulled again, and a full disk of the machine is not this node's fault.
      evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
      imageGCHighThresholdPercent: 100,
      imageMinimumGCAge: "24h",
    }),
  );
  const kubeconfig = await plane.kubeconfigOfUser(`system:node:${NODE_NAME}`, ["system:nodes"]);
  const args = [
    ...[`--config=${config}`, `--kubeconfig=${kubeconfig}`, `--hostname-override=${NODE_NAME}`],
    ...[`--node-ip=${NODE_ADDRESS}`, `--root-dir=${join(directory, "kubelet")}`],
    `--cert-dir=${join(directory, "kubelet-certificates")}`,
  ];
  const server = new Server("kubelet", args, directory, async () => {
    const status = "jsonpath={.status.conditions[?(@.type=='Ready')].status}";
    if ((await plane.kubectl(["get", "node", NODE_NAME, "-o", status])) !== "True") throw new Error("not ready");
  });
  await server.start();
  return server;
}
