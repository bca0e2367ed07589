import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadYaml } from "@kubernetes/client-node";
import { clusterTest } from "../cluster/tier.ts";
import { CHART, podsOf, render } from "./rendered.ts";

const test = clusterTest(["helm"]);

const MONITORED = {
  inference: { enabled: true },
  monitoring: {
    podMonitor: { enabled: true, labels: { release: "prometheus" } },
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true, labels: { release: "prometheus" } },
    runbookUrl: "https://wiki.example.com/escriba/",
    dashboards: { enabled: true, namespace: "grafana" },
  },
};

async function files(folder: string, end: string): Promise<string[]> {
  return (await readdir(join(CHART, folder)).catch(() => [])).filter((name) => name.endsWith(end)).sort();
}

test("every file of rules becomes a PrometheusRule, its alerts as they are, with runbooks where they were said to be", async (t) => {
  const names = await files("rules", ".yaml");
  t.true(names.length > 0);
  const rules = (await render({ values: MONITORED })).filter(({ kind }) => kind === "PrometheusRule");
  t.is(rules.length, names.length);
  for (const name of names) {
    const text = await readFile(join(CHART, "rules", name), "utf8");
    const { groups } = loadYaml<{ groups: object[] }>(
      text.replaceAll("https://docs.escriba.dev/runbooks/", "https://wiki.example.com/escriba/"),
    );
    const rule = rules.find(({ metadata }) => metadata.name === `escriba-${name.replace(".yaml", "")}`);
    t.deepEqual(rule?.spec.groups, groups, name);
    t.is(rule?.metadata.labels?.release, "prometheus");
  }
});

test("every dashboard becomes a ConfigMap that holds it to the letter", async (t) => {
  const maps = (await render({ values: MONITORED })).filter(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.labels?.grafana_dashboard === "1",
  );
  const names = await files("dashboards", ".json");
  t.deepEqual(maps.map(({ data }) => Object.keys(data)[0]).sort(), names);
  for (const { data, metadata } of maps) {
    t.is(metadata.namespace, "grafana");
    for (const [name, text] of Object.entries(data as Record<string, string>)) {
      t.deepEqual(JSON.parse(text), JSON.parse(await readFile(join(CHART, "dashboards", name), "utf8")));
    }
  }
});

test("each pod that serves metrics is scraped once: the API by its Service, the others by their pods", async (t) => {
  const objects = await render({ values: MONITORED });
  const monitors = objects.filter(({ kind }) => kind === "PodMonitor");
  for (const pod of podsOf(objects)) {
    const ports = pod.spec.containers.flatMap(({ ports: all }: { ports?: { name: string }[] }) =>
      (all ?? []).map(({ name }) => name),
    );
    const scraped = monitors.filter(({ spec }) => {
      const { matchLabels, matchExpressions = [] } = spec.selector;
      const labelled = Object.entries(matchLabels).every(([name, value]) => pod.labels[name] === value);
      const left = matchExpressions.every(
        ({ key, values }: { key: string; values: string[] }) => !values.includes(pod.labels[key] ?? ""),
      );
      const has = spec.podMetricsEndpoints.some(({ port }: { port: string }) => ports.includes(port));
      return labelled && left && has;
    });
    const expected = ports.length === 0 || pod.component === "api" ? 0 : 1;
    t.is(scraped.length, expected, pod.of);
  }
  const service = objects.find(({ kind }) => kind === "ServiceMonitor");
  const services = objects.filter(
    ({ kind, metadata }) =>
      kind === "Service" &&
      Object.entries(service?.spec.selector.matchLabels).every(([name, value]) => metadata.labels?.[name] === value),
  );
  t.deepEqual(
    services.map(({ metadata }) => metadata.name),
    ["escriba-api-internal"],
  );
});

test("without monitoring nothing of the Prometheus Operator is rendered, which a cluster may not know", async (t) => {
  const kinds = new Set((await render()).map(({ apiVersion }) => apiVersion));
  t.false([...kinds].some((version) => version.startsWith("monitoring.coreos.com")));
});
