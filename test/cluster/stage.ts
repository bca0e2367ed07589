import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesApi } from "../../operator/kubernetes/api.ts";
import type { Pod } from "../../operator/kubernetes/objects.ts";
import { PODS, WORKER_POOLS } from "../../operator/kubernetes/resources.ts";
import { POOL_LABEL } from "../../operator/workerpool/group.ts";
import { parseWorkerPool, type WorkerPool } from "../../operator/workerpool/types.ts";
import type { ControlPlane } from "./control-plane.ts";
import { DemandServer } from "./demand-server.ts";
import { type FakeNodes, startFakeNodes } from "./fake-nodes.ts";
import { operatorAccount } from "./operator-account.ts";
import { OperatorProcess } from "./operator-process.ts";
import { type PlaneWithPools, startPlaneWithPools } from "./plane-with-pools.ts";
import { type PoolManifest, poolManifest } from "./pool.ts";
import { PretendWorkers } from "./pretend-workers.ts";

export const DEMAND_TOKEN = "demand-token-of-a-test";
export const DRAIN_TOKEN = "drain-token-of-a-test";
export const NAMESPACE = "calls";

/** A control plane with a node, the demand of a test's making, pretended workers, and operators as they are shipped. */
export class Stage {
  readonly plane: ControlPlane;
  readonly nodes: FakeNodes;
  readonly demand: DemandServer;
  readonly workers: PretendWorkers;
  /** As administrator. */
  readonly api: KubernetesApi;
  readonly #opened: PlaneWithPools;
  readonly #kubeconfig: (server?: string) => Promise<string>;
  readonly #operators: OperatorProcess[] = [];

  private constructor(opened: PlaneWithPools, nodes: FakeNodes, kubeconfig: Stage["kubeconfig"]) {
    this.#opened = opened;
    this.plane = opened.plane;
    this.api = opened.api;
    this.nodes = nodes;
    this.#kubeconfig = kubeconfig;
    this.demand = new DemandServer(DEMAND_TOKEN);
    this.workers = new PretendWorkers(this.api, { namespace: NAMESPACE, port: 9464, token: DRAIN_TOKEN });
  }

  static async open(): Promise<Stage> {
    const parts = new AsyncDisposableStack();
    try {
      const opened = await startPlaneWithPools();
      const { plane } = opened;
      parts.defer(() => opened.stop());
      await plane.createNamespace(NAMESPACE);
      const kubeconfig = await operatorAccount(plane, NAMESPACE, ["tokens"]);
      const tokens = [`--from-literal=demand=${DEMAND_TOKEN}`, `--from-literal=drain=${DRAIN_TOKEN}`];
      await plane.kubectl(["create", "secret", "generic", "tokens", "-n", NAMESPACE, ...tokens]);
      const nodes = await startFakeNodes(plane);
      parts.defer(() => nodes.stop());
      await nodes.add("node-1");
      const stage = new Stage(opened, nodes, kubeconfig);
      await stage.demand.start();
      stage.workers.start();
      parts.move();
      return stage;
    } catch (error) {
      await parts.disposeAsync();
      throw error;
    }
  }

  /** Of the operator's service account, for the API server or for what stands in its place. */
  kubeconfig(server?: string): Promise<string> {
    return this.#kubeconfig(server);
  }

  /** Ends with the stage, if not before. */
  async operator(env: Record<string, string> = {}, server?: string): Promise<OperatorProcess> {
    const operator = await OperatorProcess.start({
      KUBECONFIG: await this.kubeconfig(server),
      ESCRIBA_OPERATOR_NAMESPACES: NAMESPACE,
      ESCRIBA_OPERATOR_LEASE_NAMESPACE: NAMESPACE,
      ...env,
    });
    this.#operators.push(operator);
    return operator;
  }

  /** A pool of a queue of its name that scales down at once, and `changes` over its spec. */
  manifest(name: string, changes: { scaling?: object } & Record<string, unknown> = {}): PoolManifest {
    const { scaling, ...others } = changes;
    return poolManifest(name, NAMESPACE, {
      queues: [name],
      demand: { url: this.demand.url, tokenSecret: { name: "tokens", key: "demand" } },
      drain: { tokenSecret: { name: "tokens", key: "drain" } },
      scaling: { scaleDown: { stabilizationWindowSeconds: 0 }, ...scaling },
      ...others,
    });
  }

  async apply(pool: PoolManifest): Promise<void> {
    await this.plane.kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], JSON.stringify(pool));
  }

  async pool(name: string): Promise<WorkerPool> {
    const { metadata, ...object } = parseWorkerPool(await this.api.get(WORKER_POOLS, NAMESPACE, name));
    const { managedFields: _, ...short } = metadata;
    return { ...object, metadata: short as WorkerPool["metadata"] };
  }

  /** Of a pool, those that are going too. */
  async pods(pool: string): Promise<Pod[]> {
    const { items } = await this.api.list(PODS, { namespace: NAMESPACE, labels: `${POOL_LABEL}=${pool}` });
    return items;
  }

  async stop(): Promise<void> {
    for (const operator of this.#operators) await operator.kill();
    await this.workers.stop();
    await this.demand.stop();
    await this.nodes.stop();
    await this.#opened.stop();
  }
}

const PATIENCE_MS = 120_000;

/** Looks until what is looked for holds. Rejects, with what was last seen, when it never does. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const seen = await look().catch((error: Error) => error);
    if (!(seen instanceof Error) && holds(seen)) return seen;
    if (performance.now() > end) {
      throw new Error(`${what} never came; last seen: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`);
    }
    await sleep(100);
  }
}
