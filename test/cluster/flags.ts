import { join } from "node:path";
import type { Pki } from "./pki.ts";

/** How each program of the control plane is started. Everything listens on loopback. */

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

export function apiserverFlags({ pki, etcdUrl, port }: { pki: Pki; etcdUrl: string; port: number }): string[] {
  return [
    ...[`--etcd-servers=${etcdUrl}`, "--bind-address=127.0.0.1", `--secure-port=${port}`],
    // It would publish its address as the endpoint of the Service `kubernetes`, and endpoints on loopback are refused.
    ...["--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none"],
    ...[`--tls-cert-file=${pki.server.certFile}`, `--tls-private-key-file=${pki.server.keyFile}`],
    ...[`--client-ca-file=${pki.authorityFile}`, "--authorization-mode=RBAC"],
    ...[
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${pki.tokens.publicFile}`,
    ],
    `--service-account-signing-key-file=${pki.tokens.privateFile}`,
    ...["--service-cluster-ip-range=10.96.0.0/16", "--profiling=false"],
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
