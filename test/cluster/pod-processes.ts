import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess } from "../../embedded/watched-process.ts";
import type { KubernetesApi } from "../../operator/kubernetes/api.ts";
import type { Pod } from "../../operator/kubernetes/objects.ts";
import { PODS } from "../../operator/kubernetes/resources.ts";
import { POOL_LABEL } from "../../operator/workerpool/group.ts";
import type { ControlPlane } from "./control-plane.ts";
import { FATE } from "./fake-nodes.ts";

const POLL_MS = 100;
const GRACE_MS = 130_000;

/** A pod's template says by this annotation that its process is run here, and is ready when the process says so. */
export const PROCESS_FATE = { [FATE]: "Process" };

export interface ProcessOptions {
  namespace: string;
  /** What runs in each pod: a module that says `{ready: …}` over its channel, and ends on SIGTERM. */
  module: URL;
  args: string[];
  /** A pod's process was begun, or has said that it is ready. */
  onEvent?(what: "begun" | "ready"): void;
}

/**
 * Runs, for every pretended pod, the process of its first container at the pod's address: what a kubelet would do, as
 * far as the operator sees it. The container's environment is the process's, and its metrics listener has the pod's
 * address. A pod that goes has its process ended by SIGTERM.
 */
export class PodProcesses {
  readonly #api: KubernetesApi;
  readonly #plane: ControlPlane;
  readonly #options: ProcessOptions;
  readonly #running = new Map<string, ChildProcess>();
  readonly #ending = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;
  #stopped = false;
  /** Pods whose process has ended, in order. */
  readonly ended: string[] = [];

  constructor(plane: ControlPlane, api: KubernetesApi, options: ProcessOptions) {
    this.#plane = plane;
    this.#api = api;
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
    for (const [uid, child] of this.#running) this.#end(uid, child, uid);
    await Promise.all(this.#ending);
  }

  async #follow(): Promise<void> {
    const { namespace } = this.#options;
    while (!this.#stopped) {
      const { items } = await this.#api.list(PODS, { namespace, labels: POOL_LABEL }).catch(() => ({ items: null }));
      const ours = items?.filter(({ metadata }) => metadata.annotations?.[FATE] === PROCESS_FATE[FATE]);
      if (ours) this.#match(ours.filter(({ status }) => status?.phase === "Running" && status.podIP));
      await sleep(POLL_MS);
    }
  }

  #match(pods: Pod[]): void {
    const wanted = new Map(pods.map((pod) => [pod.metadata.uid ?? "", pod]));
    for (const [uid, child] of this.#running) {
      if (!wanted.has(uid) || wanted.get(uid)?.metadata.deletionTimestamp) this.#end(uid, child, uid);
    }
    for (const [uid, pod] of wanted) {
      if (!this.#running.has(uid) && !pod.metadata.deletionTimestamp) this.#running.set(uid, this.#begin(pod));
    }
  }

  #begin(pod: Pod): ChildProcess {
    const [container] = pod.spec.containers;
    const given = (container?.env ?? []) as { name: string; value?: string }[];
    const child = fork(this.#options.module, this.#options.args, {
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries(given.map(({ name, value = "" }) => [name, value])),
        ESCRIBA_METRICS_HOST: pod.status?.podIP,
        ESCRIBA_METRICS_PORT: String(container?.ports?.[0]?.containerPort ?? 9464),
      },
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#options.onEvent?.("begun");
    child.once("message", () => {
      this.#options.onEvent?.("ready");
      void this.#tellReady(pod).catch(() => undefined); // it may have gone meanwhile
    });
    return child;
  }

  /** A kubelet's readiness probe says it so. */
  async #tellReady({ metadata, spec }: Pod): Promise<void> {
    const at = new Date().toISOString();
    const conditions = ["Ready", "ContainersReady"].map((type) => ({ type, status: "True", lastTransitionTime: at }));
    const containerStatuses = spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: "",
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: at } },
    }));
    const patch = JSON.stringify({ status: { conditions, containerStatuses } });
    const of = ["patch", "pod", metadata.name, "-n", metadata.namespace ?? "", "--subresource=status"];
    await this.#plane.kubectl([...of, "--type=strategic", "-p", patch]);
  }

  #end(uid: string, child: ChildProcess, pod: string): void {
    this.#running.delete(uid);
    const ending = endProcess(child, GRACE_MS).then(() => {
      this.ended.push(pod);
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
  }
}
