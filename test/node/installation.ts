import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "../../embedded/client.ts";
import { parseWorkerPool, type WorkerPool } from "../../operator/workerpool/types.ts";
import { CHART, type KubernetesObject } from "../charts/rendered.ts";
import type { Node } from "./node.ts";
import type { Services } from "./services.ts";
import { values } from "./values.ts";

const NAMESPACE = "escriba";
const RELEASE = "escriba";

export interface Pod extends KubernetesObject {
  status: {
    phase: string;
    conditions?: { type: string; status: string; reason?: string }[];
    containerStatuses?: { restartCount: number }[];
  };
}

/** The chart on a real node, installed step by step as docs/install.md says. */
export class Installation {
  readonly #node: Node;
  readonly #services: Services;
  readonly #directory: string;

  private constructor(node: Node, services: Services, directory: string) {
    this.#node = node;
    this.#services = services;
    this.#directory = directory;
  }

  /** The namespace, where every pod must be a restricted one, the Secrets, and the models' claim. */
  static async prepare(node: Node, services: Services, directory: string, models: string): Promise<Installation> {
    const it = new Installation(node, services, join(directory, "installation"));
    await mkdir(it.#directory);
    await node.plane.createNamespace(NAMESPACE);
    await it.kubectl("label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted");
    const secret = (name: string, values: Record<string, string>) =>
      it.kubectl(
        ...["create", "secret", "generic", name],
        ...Object.entries(values).map(([key, value]) => `--from-literal=${key}=${value}`),
      );
    await secret("escriba", {
      "database-url": services.databaseUrl,
      "secrets-key": randomBytes(32).toString("base64"),
      "s3-access-key-id": services.s3.credentials.accessKeyId,
      "s3-secret-access-key": services.s3.credentials.secretAccessKey,
    });
    await secret("escriba-tokens", {
      "demand-token": randomBytes(32).toString("hex"),
      "drain-token": randomBytes(32).toString("hex"),
    });
    await it.#apply(modelsClaim(models));
    return it;
  }

  /** `helm install` or `helm upgrade`, until everything is ready. `changes`: over the values. */
  async helm(verb: "install" | "upgrade", changes: object = {}): Promise<string> {
    const file = join(this.#directory, "values.json");
    await writeFile(file, JSON.stringify(values(this.#services, this.#node.address)));
    const more = join(this.#directory, "changes.json");
    await writeFile(more, JSON.stringify(changes));
    const wait = ["--wait", "--timeout", "10m"];
    return this.#node.plane.helm(["-n", NAMESPACE, verb, RELEASE, CHART, "-f", file, "-f", more, ...wait]);
  }

  /** `escriba doctor`, as the chart's test; rejects with what it said when something is wrong. */
  async doctor(): Promise<string> {
    return this.#node.plane.helm(["-n", NAMESPACE, "test", RELEASE, "--logs", "--timeout", "5m"]);
  }

  async uninstall(): Promise<void> {
    await this.#node.plane.helm(["-n", NAMESPACE, "uninstall", RELEASE, "--wait", "--timeout", "10m"]);
  }

  kubectl(...args: string[]): Promise<string> {
    return this.#node.plane.kubectl(["-n", NAMESPACE, ...args]);
  }

  /** A command in the API's pod, as an administrator runs it. */
  escriba(...args: string[]): Promise<string> {
    return this.kubectl("exec", "deploy/escriba-api", "-c", "api", "--", "escriba", ...args);
  }

  /** Makes an organization with credit and answers its client, which asks by the API's Service. */
  async organization(slug: string): Promise<Client> {
    await this.escriba("org", "create", slug);
    await this.escriba("credit", "add", slug, "25");
    const created = await this.escriba("key", "create", slug, "--json");
    const { api_key: key } = JSON.parse(created) as { api_key: string };
    const address = await this.kubectl("get", "service", "escriba-api", "-o", "jsonpath={.spec.clusterIP}");
    return new Client(`http://${address}`, key);
  }

  async pods(selector: string): Promise<Pod[]> {
    const list = JSON.parse(await this.kubectl("get", "pods", "-l", selector, "-o", "json")) as { items: Pod[] };
    return list.items;
  }

  async pool(name: string): Promise<WorkerPool> {
    return parseWorkerPool(JSON.parse(await this.kubectl("get", "workerpool", name, "-o", "json")));
  }

  /** What stands in the way when something does not become what it should, for a failed test's message. */
  async situation(): Promise<string> {
    const said = await Promise.all([
      this.kubectl("get", "pods,workerpools", "-o", "wide"),
      this.kubectl("get", "events", "--sort-by=.lastTimestamp"),
    ]);
    return said.join("\n").slice(-6_000);
  }

  async #apply(objects: KubernetesObject[]): Promise<void> {
    const list = { apiVersion: "v1", kind: "List", items: objects };
    await this.#node.plane.kubectl(["apply", "--server-side", "-f", "-"], JSON.stringify(list));
  }
}

/** The machine's model cache as a claim: restricted pods may not name a node's directory themselves. */
function modelsClaim(path: string): KubernetesObject[] {
  const storage = "10Gi";
  const spec = { accessModes: ["ReadOnlyMany"], storageClassName: "" };
  return [
    {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "models" },
      spec: {
        ...spec,
        capacity: { storage },
        hostPath: { path, type: "Directory" },
        claimRef: { namespace: NAMESPACE, name: "models" },
      },
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "models", namespace: NAMESPACE },
      spec: { ...spec, volumeName: "models", resources: { requests: { storage } } },
    },
  ];
}
