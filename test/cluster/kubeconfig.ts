import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "../support/certificate.ts";

/** What a client shows: a certificate or a token. */
export type Credentials = Identity | { token: string };

export interface Cluster {
  /** e.g. `https://127.0.0.1:6443`. */
  url: string;
  /** PEM of the authority that signed the server's certificate. */
  authority: string;
}

/** Writes a kubeconfig file into `directory` and answers its path. JSON is YAML. */
export async function writeKubeconfig(
  directory: string,
  name: string,
  cluster: Cluster,
  credentials: Credentials,
  namespace = "default",
): Promise<string> {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const user =
    "token" in credentials
      ? { token: credentials.token }
      : { "client-certificate-data": base64(credentials.cert), "client-key-data": base64(credentials.key) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "test", cluster: { server: cluster.url, "certificate-authority-data": base64(cluster.authority) } },
    ],
    users: [{ name, user }],
    contexts: [{ name: "test", context: { cluster: "test", user: name, namespace } }],
    "current-context": "test",
  };
  const file = join(directory, `${name.replaceAll(/[^\w.-]/g, "-")}.kubeconfig`);
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
