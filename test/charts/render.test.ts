import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadYaml } from "@kubernetes/client-node";
import { clusterTest } from "../cluster/tier.ts";
import { CHART, called, EXAMPLES, helm, render, valuesOf } from "./rendered.ts";

const test = clusterTest(["helm"]);

for (const name of ["default", ...EXAMPLES]) {
  test(`helm lint has nothing to say of the ${name} values`, async (t) => {
    const said = await helm("lint", "--strict", CHART, ...valuesOf(name).flatMap((file) => ["--values", file]));
    t.regex(said, /0 chart\(s\) failed/);
    t.notRegex(said, /\[(WARNING|ERROR)\]/);
  });

  test(`the ${name} values render, every object once, in the release's namespace`, async (t) => {
    const objects = await render({ files: valuesOf(name) });
    const names = objects.map((object) => `${called(object)} ${object.metadata.namespace ?? ""}`);
    t.deepEqual(names, [...new Set(names)]);
    const cluster = new Set(["ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition"]);
    for (const object of objects) {
      t.is(object.metadata.namespace, cluster.has(object.kind) ? undefined : "calls", called(object));
      t.regex(object.metadata.name, /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
    }
  });
}

test("what runs where: the objects of the default values", async (t) => {
  const objects = await render();
  const of = (kind: string) => objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  t.deepEqual(of("Deployment").sort(), [
    "escriba-api",
    "escriba-fetch",
    "escriba-language",
    "escriba-operator",
    "escriba-transcripts",
    "escriba-webhooks",
  ]);
  t.deepEqual(of("WorkerPool").sort(), ["escriba-media", "escriba-speech"]);
  t.deepEqual(of("CustomResourceDefinition"), ["workerpools.escriba.dev"]);
  t.is(of("Secret").length, 0, "the chart holds no secret");
});

test("the chart carries the definition that the code writes, and the CRD Job runs before upgrades only", async (t) => {
  const objects = await render();
  t.true(objects.some(({ kind }) => kind === "CustomResourceDefinition"));
  const hooks = objects.filter(({ metadata }) => metadata.annotations?.["helm.sh/hook"] === "pre-upgrade");
  t.deepEqual(hooks.map(({ kind }) => kind).sort(), ["ClusterRole", "ClusterRoleBinding", "Job", "ServiceAccount"]);
});

test("replicas is never rendered: of a pool it is the operator's, under an autoscaler the autoscaler's", async (t) => {
  for (const name of ["default", "production"]) {
    const objects = await render({ files: valuesOf(name) });
    const scaled = new Set(
      objects.filter(({ kind }) => kind === "HorizontalPodAutoscaler").map(({ spec }) => spec.scaleTargetRef.name),
    );
    for (const object of objects) {
      if (object.kind === "WorkerPool") t.false("replicas" in object.spec);
      if (object.kind === "Deployment")
        t.is("replicas" in object.spec, !scaled.has(object.metadata.name), called(object));
    }
  }
});

test("every field is one that the API knows: the client's own types take each of them", async (t) => {
  const values = {
    inference: { enabled: true },
    api: { ingress: { enabled: true, hosts: [{ host: "escriba.example.com" }] }, autoscaling: { enabled: true } },
    modelCache: { type: "image", prefetch: "never", image: { reference: "registry.example.com/models:1" } },
    speech: { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "gpu" }] },
  };
  for (const options of [{ values }, { files: valuesOf("laptop") }, { files: valuesOf("production") }]) {
    for (const object of await render(options)) {
      // The types of definitions leave out rules and defaults; docs/workerpool.ts writes that file, and its tests read it.
      if (object.kind === "CustomResourceDefinition") continue;
      t.deepEqual(unknownFields(object, loadYaml(JSON.stringify(object))), [], called(object));
    }
  }
  t.deepEqual(
    unknownFields(
      { kind: "Service", apiVersion: "v1", spec: { prots: [] } },
      { kind: "Service", apiVersion: "v1", spec: {} },
    ),
    [".spec.prots"],
  );
});

/** Paths of fields that the client dropped; it writes names that JavaScript keeps for itself with an underscore. */
function unknownFields(given: unknown, read: unknown, path = ""): string[] {
  if (typeof given !== "object" || given === null) return [];
  const known = (read ?? {}) as Record<string, unknown>;
  return Object.entries(given).flatMap(([name, value]) => {
    const inside = known[name] ?? known[`_${name}`];
    return inside === undefined ? [`${path}.${name}`] : unknownFields(value, inside, `${path}.${name}`);
  });
}

test("a long release name leaves a WorkerPool's name within its 46 characters", async (t) => {
  const objects = await render({ name: "a-release-name-that-is-as-long-as-helm-allows-it-to" });
  const pools = objects.filter(({ kind }) => kind === "WorkerPool");
  t.is(pools.length, 2);
  for (const { metadata } of pools) t.true(metadata.name.length <= 46, metadata.name);
});

test("a Job is another one when what it runs is another", async (t) => {
  const jobs = async (values: object) =>
    (await render({ values })).filter(({ kind }) => kind === "Job").map(({ metadata }) => metadata.name);
  const [first, again, other] = [await jobs({}), await jobs({}), await jobs({ image: { tag: "2.0.0" } })];
  t.deepEqual(first, again);
  t.notDeepEqual(first, other);
});

test("the version of the chart is that of the package", async (t) => {
  const { version } = JSON.parse(await readFile(join(CHART, "../../package.json"), "utf8")) as { version: string };
  t.regex(
    await readFile(join(CHART, "Chart.yaml"), "utf8"),
    new RegExp(`^appVersion: ${RegExp.escape(version)}$`, "m"),
  );
});
