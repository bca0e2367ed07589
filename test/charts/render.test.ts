import { readFile } from "node:fs/promises";
import { join } from "node:path";
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
