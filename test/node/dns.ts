import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlane } from "../cluster/control-plane.ts";
import { Server } from "../cluster/server.ts";
import { freePorts } from "../support/free-ports.ts";
import { NODE_ADDRESS } from "./network.ts";

export const CLUSTER_DOMAIN = "cluster.local";
/** The address of the Service of name servers that pods are given. */
export const CLUSTER_DNS = "10.96.0.10";

const ACCOUNT = { name: "coredns", namespace: "kube-system" };

/** CoreDNS as a process of the node, with its service account's rights and behind the Service that clusters have. */
export async function startDns(plane: ControlPlane, directory: string): Promise<Server> {
  await plane.kubectl(["apply", "--server-side", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const kubeconfig = await plane.kubeconfigFor(ACCOUNT.name, ACCOUNT.namespace);
  const [readyPort] = await freePorts(1);
  const corefile = join(directory, "Corefile");
  await writeFile(
    corefile,
    `${CLUSTER_DOMAIN}:53 in-addr.arpa:53 {
  bind ${NODE_ADDRESS}
  errors
  ready 127.0.0.1:${readyPort}
  kubernetes ${CLUSTER_DOMAIN} in-addr.arpa {
    kubeconfig ${kubeconfig}
    ttl 5
  }
  cache 5
}
# Nothing else has a name here. In a block of its own: inside one, this plugin would come before the other.
.:53 {
  bind ${NODE_ADDRESS}
  template ANY ANY {
    rcode NXDOMAIN
  }
}
`,
  );
  const server = new Server("coredns", ["-conf", corefile], directory, async () => {
    const answer = await fetch(`http://127.0.0.1:${readyPort}/ready`, { signal: AbortSignal.timeout(2_000) });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await server.start();
  return server;
}

const role = { kind: "ClusterRole", name: "system:coredns" };

const items = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: ACCOUNT },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: role.name },
    rules: [
      { apiGroups: [""], resources: ["services", "pods", "namespaces"], verbs: ["list", "watch"] },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
    ],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: role.name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", ...role },
    subjects: [{ kind: "ServiceAccount", ...ACCOUNT }],
  },
  {
    // Without a selector: no pod answers, the node does.
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kube-dns", namespace: "kube-system" },
    spec: {
      clusterIP: CLUSTER_DNS,
      ports: [
        { name: "dns", port: 53, protocol: "UDP" },
        { name: "dns-tcp", port: 53, protocol: "TCP" },
      ],
    },
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "kube-dns-node",
      namespace: "kube-system",
      labels: { "kubernetes.io/service-name": "kube-dns", "endpointslice.kubernetes.io/managed-by": "escriba-test" },
    },
    addressType: "IPv4",
    endpoints: [{ addresses: [NODE_ADDRESS], conditions: { ready: true } }],
    ports: [
      { name: "dns", port: 53, protocol: "UDP" },
      { name: "dns-tcp", port: 53, protocol: "TCP" },
    ],
  },
];
