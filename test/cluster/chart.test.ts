import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { foreignDefinitions } from "../charts/foreign-definitions.ts";
import { CHART, called, EXAMPLES, type KubernetesObject, podsOf, render, valuesOf } from "../charts/rendered.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { applyDefinition } from "./definition.ts";
import { CONTROL_PLANE } from "./programs.ts";
import { clusterTest } from "./tier.ts";

const test = clusterTest<undefined>(["helm", ...CONTROL_PLANE]);
const run = promisify(execFile);

const NAMESPACE = "calls";
let plane: ControlPlane;

test.before(async () => {
  plane = await startControlPlane();
  await plane.createNamespace(NAMESPACE);
  // Whatever is not restricted is refused here.
  const enforce = "pod-security.kubernetes.io/enforce=restricted";
  await plane.kubectl([
    "label",
    "--overwrite",
    "namespace",
    NAMESPACE,
    enforce,
    "pod-security.kubernetes.io/enforce-version=latest",
  ]);
  await applyDefinition(plane);
  await apply(foreignDefinitions());
  const names = foreignDefinitions().map(({ metadata }) => `crd/${metadata.name}`);
  await plane.kubectl(["wait", "--for=condition=Established", ...names, "--timeout=60s"]);
});

test.after.always(() => plane?.stop());

function apply(objects: KubernetesObject[], ...flags: string[]): Promise<string> {
  const list = { apiVersion: "v1", kind: "List", items: objects };
  return plane.kubectl(["apply", "--server-side", "--force-conflicts", ...flags, "-f", "-"], JSON.stringify(list));
}

const MORE: Record<string, object> = {
  everything: {
    inference: { enabled: true },
    language: { mode: "pool", server: { image: { repository: "vllm/vllm-openai", tag: "v1" }, model: "qwen" } },
    api: { httpRoute: { enabled: true, parentRefs: [{ name: "public" }], hostnames: ["escriba.example.com"] } },
    modelCache: { type: "image", prefetch: "never", image: { reference: "registry.example.com/models:1" } },
    speech: {
      kueueQueue: "gpus",
      sharedMemory: "1Gi",
      resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "gpu" }],
      scaling: { extra: { scaleUp: { policies: [{ type: "Pods", value: 4, periodSeconds: 15 }] } } },
      rollout: { maxSurge: 2, whenUnschedulable: "Wait" },
    },
  },
  clusterWide: { operator: { clusterWide: true } },
  file: { objectStore: { url: "file:///data", volume: { persistentVolumeClaim: { claimName: "data" } } } },
};

for (const name of ["default", ...EXAMPLES, ...Object.keys(MORE)]) {
  test.serial(
    `${name}: the API server accepts every object, and every pod under the restricted standard`,
    async (t) => {
      const values = MORE[name];
      const objects = await render({ ...(values ? { values } : { files: valuesOf(name) }) });
      // Accounts and classes must be there before a pod may name them.
      await apply([
        ...objects.filter(({ kind }) => kind === "ServiceAccount"),
        ...["escriba", "nvidia"].flatMap(classesOf),
      ]);
      const said = await apply(objects, "--dry-run=server");
      t.is(said.trim().split("\n").length, objects.length);
      const pods = podsOf(objects).map((pod, index) => ({
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: `${name.toLowerCase()}-${index}`,
          namespace: NAMESPACE,
          labels: pod.labels,
          annotations: pod.annotations,
        },
        spec: { ...pod.spec, restartPolicy: pod.spec.restartPolicy ?? "Always" },
      }));
      t.is((await apply(pods, "--dry-run=server")).trim().split("\n").length, pods.length);
    },
  );
}

/** The PriorityClass and RuntimeClass that the production example names. */
function classesOf(name: string): KubernetesObject[] {
  return [
    { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value: 1 },
    { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: { name }, handler: name },
  ];
}

test.serial("a field that the API knows not would be refused: the dry run can fail", async (t) => {
  const [object] = (await render()).filter(({ kind }) => kind === "WorkerPool");
  const wrong = { ...object, spec: { ...object?.spec, queues: [] } } as KubernetesObject;
  await t.throwsAsync(() => apply([wrong], "--dry-run=server"), { message: /queues/ });
});

test.serial(
  "crds apply brings an older definition to this version's, as the Job's own account, which may touch no other",
  async (t) => {
    const hooks = (await render()).filter(
      ({ kind, metadata }) => kind !== "Job" && metadata.annotations?.["helm.sh/hook"] === "pre-upgrade",
    );
    await apply(hooks);
    t.deepEqual(hooks.map(called).sort(), [
      "ClusterRole/calls-escriba-crds",
      "ClusterRoleBinding/calls-escriba-crds",
      "ServiceAccount/escriba-crds",
    ]);
    const older = JSON.stringify([{ op: "remove", path: "/spec/names/shortNames" }]);
    await plane.kubectl(["patch", "crd", "workerpools.escriba.dev", "--type=json", "-p", older]);
    const kubeconfig = await plane.kubeconfigFor("escriba-crds", NAMESPACE);
    const escriba = join(import.meta.dirname, "../../cli/escriba.ts");
    const { stdout } = await run(process.execPath, [escriba, "crds", "apply"], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
    });
    t.regex(stdout, /applied workerpools\.escriba\.dev/);
    const names = await plane.kubectl([
      "get",
      "crd",
      "workerpools.escriba.dev",
      "-o",
      "jsonpath={.spec.names.shortNames}",
    ]);
    t.deepEqual(JSON.parse(names), ["wp"]);
    const may = (verb: string, resource: string) =>
      plane
        .kubectl(["auth", "can-i", verb, resource, `--as=system:serviceaccount:${NAMESPACE}:escriba-crds`])
        .catch(() => "no");
    t.is((await may("patch", "customresourcedefinitions/podmonitors.monitoring.coreos.com")).trim(), "no");
    t.is((await may("delete", "customresourcedefinitions/workerpools.escriba.dev")).trim(), "no");
    t.is((await may("get", "secrets")).trim(), "no");
  },
);

test.serial("the operator's account reads the Secret of the tokens and no other", async (t) => {
  const kinds = new Set(["Role", "RoleBinding", "ServiceAccount"]);
  await apply((await render()).filter(({ kind }) => kinds.has(kind)));
  const may = async (verb: string, resource: string) => {
    const as = `--as=system:serviceaccount:${NAMESPACE}:escriba-operator`;
    const [name = "", subresource] = resource.split(":");
    const of = subresource ? [`--subresource=${subresource}`] : [];
    return (await plane.kubectl(["auth", "can-i", verb, name, ...of, as, "-n", NAMESPACE]).catch(() => "no")).trim();
  };
  t.is(await may("get", "secrets/escriba-tokens"), "yes");
  t.is(await may("get", "secrets/escriba"), "no");
  t.is(await may("list", "secrets"), "no");
  t.is(await may("delete", "workerpools.escriba.dev"), "no");
  t.is(await may("update", "workerpools.escriba.dev:status"), "yes");
  t.is(await may("create", "pods"), "yes");
  t.is(await may("create", "pods:exec"), "no");
  t.is(await may("list", "nodes"), "no");
});

test.serial("helm upgrade restarts what uses a secret that changed, and nothing else", async (t) => {
  const secret = (name: string, data: Record<string, string>): KubernetesObject => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: NAMESPACE },
    stringData: data,
  });
  const keys = {
    "database-url": "postgresql://a",
    "secrets-key": "k",
    "s3-access-key-id": "i",
    "s3-secret-access-key": "s",
  };
  await apply([secret("escriba", keys), secret("escriba-tokens", { "demand-token": "d", "drain-token": "e" })]);
  const helm = (verb: string) =>
    plane.helm([
      verb,
      "escriba",
      CHART,
      "-n",
      NAMESPACE,
      "--no-hooks",
      ...(verb === "install" ? ["--skip-crds", "--take-ownership"] : []),
    ]);
  const checksums = async () => {
    const path = "{range .items[*]}{.metadata.name}={.spec.template.metadata.annotations.checksum/secret}{'\\n'}{end}";
    const said = await plane.kubectl(["get", "deployments,workerpools", "-n", NAMESPACE, "-o", `jsonpath=${path}`]);
    return Object.fromEntries(
      said
        .trim()
        .split("\n")
        .map((line) => line.split("=") as [string, string]),
    );
  };
  await helm("install");
  const before = await checksums();
  await apply([secret("escriba", { ...keys, "database-url": "postgresql://b" })]);
  await helm("upgrade");
  const after = await checksums();
  const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
  t.deepEqual(changed.sort(), ["escriba-api", "escriba-transcripts", "escriba-webhooks"]);
  t.truthy(after["escriba-speech"]);
});
