import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { CoreV1Api, Health, KubeConfig } from "@kubernetes/client-node";
import type { Identity } from "../support/certificate.ts";
import { freePorts } from "../support/free-ports.ts";
import { apiserverFlags, etcdFlags, managerFlags, schedulerFlags } from "./flags.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { createPki, type Pki } from "./pki.ts";
import { clusterProgram } from "./programs.ts";
import { Server } from "./server.ts";

export interface ControlPlane {
  /** Holds logs, certificates and kubeconfigs; gone after `stop`. */
  directory: string;
  /** Of the API server, e.g. `https://127.0.0.1:6443`. */
  url: string;
  /** PEM of the authority that signed the API server's certificate. */
  authority: string;
  /** The API server's own key and certificate, for what stands in its place. */
  identity: Identity;
  /** Path of an administrator's kubeconfig, for programs. */
  kubeconfig: string;
  /** The same for `makeApiClient`. */
  adminClient: KubeConfig;
  pki: Pki;
  /** Path of a kubeconfig of a user, e.g. a node, by certificate. */
  kubeconfigOfUser(user: string, groups?: string[]): Promise<string>;
  /**
   * Path of a kubeconfig with a token (of an hour, by TokenRequest) of a service account that exists; `server` puts
   * something else in the API server's place, which needs no certificate when it speaks plain HTTP.
   */
  kubeconfigFor(serviceAccount: string, namespace: string, server?: string): Promise<string>;
  /** Resolves when pods may be made in it. */
  createNamespace(name: string): Promise<void>;
  /** Answers standard output. Rejects with what kubectl said, when it fails. An administrator asks. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  helm(args: readonly string[]): Promise<string>;
  etcd: Server;
  apiserver: Server;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  /** Where the API server listens instead of loopback, for a real node and its pods. Rights of nodes are checked then. */
  address?: string;
}

const START_ATTEMPTS = 3;
const TOKEN_SECONDS = 3_600;
/** Of the Service `kubernetes`, the first of the range in `flags.ts`: where pods find the API server. */
const SERVICE_ADDRESS = "10.96.0.1";

/**
 * A real control plane of a test's own on loopback: etcd, API server, controller manager and scheduler, as any user and
 * without root. It has no nodes (`fake-nodes.ts` adds pretended ones, `test/node/` a real one). Rejects when a program is missing or ends.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(options);
    } catch (error) {
      // Ports are found free a moment before they are bound.
      if (attempt === START_ATTEMPTS || !/address already in use/.test(String(error))) throw error;
    }
  }
}

async function start({ address }: ControlPlaneOptions): Promise<ControlPlane> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-cluster-"));
  const running: Server[] = [];
  // etcd goes last: without it the others hang instead of ending.
  const stop = async () => {
    for (const server of running.toReversed()) await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  const launch = async (name: string, flags: string[], ready: () => Promise<void>) => {
    const server = new Server(name, flags, directory, ready);
    running.push(server);
    await server.start();
    return server;
  };
  try {
    const pki = await createPki(directory, address ? [address, SERVICE_ADDRESS] : []);
    const [etcdPort = 0, peerPort = 0, apiPort = 0, managerPort = 0, schedulerPort = 0] = await freePorts(5);
    const etcdUrl = `http://127.0.0.1:${etcdPort}`;
    const cluster = { url: `https://${address ?? "127.0.0.1"}:${apiPort}`, authority: pki.authority };
    const userConfig = (user: string, groups: string[] = []) =>
      writeKubeconfig(directory, user, cluster, pki.client(user, groups));

    const etcd = await launch("etcd", etcdFlags({ directory, url: etcdUrl, peerPort }), async () => {
      const answer = await fetch(`${etcdUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
      if (!answer.ok) throw new Error(await answer.text());
    });

    const kubeconfig = await userConfig("admin", ["system:masters"]);
    const adminClient = new KubeConfig();
    adminClient.loadFromFile(kubeconfig);
    const core = adminClient.makeApiClient(CoreV1Api);
    const apiserver = await launch(
      "kube-apiserver",
      apiserverFlags({ pki, etcdUrl, port: apiPort, address }),
      async () => {
        if (!(await new Health(adminClient).readyz({ signal: AbortSignal.timeout(2_000) })))
          throw new Error("not ready");
      },
    );

    // Only now: before the API server has made its roles, the controller manager is refused, and ends.
    const manager = managerFlags({
      pki,
      kubeconfig: await userConfig("system:kube-controller-manager"),
      port: managerPort,
    });
    await launch("kube-controller-manager", manager, async () => {
      await core.readNamespacedServiceAccount({ name: "default", namespace: "default" });
    });
    const scheduler = schedulerFlags({ kubeconfig: await userConfig("system:kube-scheduler"), port: schedulerPort });
    await launch("kube-scheduler", scheduler, () => Promise.resolve());

    return {
      ...cluster,
      identity: pki.server,
      directory,
      kubeconfig,
      adminClient,
      pki,
      kubeconfigOfUser: userConfig,
      kubeconfigFor: async (name, namespace, server = cluster.url) => {
        const body = { spec: { audiences: [], expirationSeconds: TOKEN_SECONDS } };
        const { status } = await core.createNamespacedServiceAccountToken({ name, namespace, body });
        const user = `${namespace}-${name}${server === cluster.url ? "" : `-${new URL(server).port}`}`;
        return writeKubeconfig(directory, user, { ...cluster, url: server }, { token: status?.token ?? "" }, namespace);
      },
      createNamespace: async (name) => {
        await core.createNamespace({ body: { metadata: { name } } });
        // The controller manager gives it its service account, without which no pod is admitted.
        await succeeds(() => core.readNamespacedServiceAccount({ name: "default", namespace: name }));
      },
      kubectl: (args, input) => run("kubectl", args, { KUBECONFIG: kubeconfig }, input),
      helm: (args) => run("helm", args, { KUBECONFIG: kubeconfig, ...helmDirectories(directory) }),
      etcd,
      apiserver,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function succeeds(attempt: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (tries === 600) throw error;
      await sleep(50);
    }
  }
}

/** helm's own settings and caches stay out of the home directory. */
function helmDirectories(directory: string): Record<string, string> {
  const of = (name: string) => join(directory, "helm", name);
  return { HELM_CACHE_HOME: of("cache"), HELM_CONFIG_HOME: of("config"), HELM_DATA_HOME: of("data") };
}

async function run(name: string, args: readonly string[], env: Record<string, string>, input = ""): Promise<string> {
  const program = clusterProgram(name);
  if (!program) throw new Error(`${name} is missing; run \`npm run cluster:build\``);
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined).end(input); // it need not read
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`${name} ${args.join(" ")} failed:\n${said}`);
  return out;
}
