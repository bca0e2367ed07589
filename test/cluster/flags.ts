import { join } from "node:path";
import type { Pki } from "./pki.ts";

/** How each program of the control plane is started. Everything listens on loopback, but the API server for a real node. */

/** Addresses of Services; the first is the API server's own. */
export const SERVICES = "10.96.0.0/16";

export function etcdFlags({
  directory,
  url,
  peerPort,
}: {
  directory: string;
  url: string;
  peerPort: number;
}): string[] {
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    ...["--name=test", `--data-dir=${join(directory, "etcd")}`, "--log-level=warn"],
    ...[`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`],
    ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=test=${peer}`],
    // What a test writes need not outlive the machine.
    "--unsafe-no-fsync",
  ];
}

/** `address`: where a real node reaches it; only on loopback when absent. */
export function apiserverFlags({
  pki,
  etcdUrl,
  port,
  address,
}: {
  pki: Pki;
  etcdUrl: string;
  port: number;
  address?: string | undefined;
}): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    ...(address ? forNode(pki, address) : LOOPBACK),
    `--secure-port=${port}`,
    ...[`--tls-cert-file=${pki.server.certFile}`, `--tls-private-key-file=${pki.server.keyFile}`],
    `--client-ca-file=${pki.authorityFile}`,
    ...[
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${pki.tokens.publicFile}`,
    ],
    `--service-account-signing-key-file=${pki.tokens.privateFile}`,
    ...[`--service-cluster-ip-range=${SERVICES}`, "--profiling=false"],
  ];
}

const LOOPBACK = [
  ...["--bind-address=127.0.0.1", "--authorization-mode=RBAC"],
  // It would publish its address as the endpoint of the Service `kubernetes`, and endpoints on loopback are refused.
  ...["--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none"],
];

/** What a kubelet asks of an API server, and what one needs to reach it for logs and exec. */
function forNode(pki: Pki, address: string): string[] {
  return [
    ...[`--bind-address=${address}`, `--advertise-address=${address}`],
    ...["--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction"],
    ...[`--kubelet-certificate-authority=${pki.authorityFile}`, "--kubelet-preferred-address-types=InternalIP"],
    ...[
      `--kubelet-client-certificate=${pki.kubeletClient.certFile}`,
      `--kubelet-client-key=${pki.kubeletClient.keyFile}`,
    ],
  ];
}

export function managerFlags({ pki, kubeconfig, port }: { pki: Pki; kubeconfig: string; port: number }): string[] {
  return [
    ...common(kubeconfig, port),
    ...[`--service-account-private-key-file=${pki.tokens.privateFile}`, `--root-ca-file=${pki.authorityFile}`],
    // A silent node is waited for longer than any outage here lasts: pods of pretended nodes that were once called lost, as after an
    // outage of etcd, never become ready again, since nobody but a kubelet would say so.
    ...["--use-service-account-credentials", "--node-monitor-grace-period=180s"],
  ];
}

export function schedulerFlags({ kubeconfig, port }: { kubeconfig: string; port: number }): string[] {
  return common(kubeconfig, port);
}

function common(kubeconfig: string, port: number): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    ...[`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`],
    ...["--bind-address=127.0.0.1", `--secure-port=${port}`, "--leader-elect=false", "--profiling=false"],
  ];
}
