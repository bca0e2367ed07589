import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadYaml } from "@kubernetes/client-node";
import { table } from "../table.ts";
import { readValuesText } from "./values-text.ts";

const CHART = join(import.meta.dirname, "../../charts/escriba");

/** charts/escriba/README.md: how to install, and every value with its default, from values.yaml's own comments. */
export function chartReadme(): string {
  const source = readFileSync(join(CHART, "values.yaml"), "utf8");
  const values = loadYaml<Record<string, unknown>>(source);
  const sections = readValuesText(source).map(({ title, text, rows }) => {
    const cells = rows.map(({ path, text: told }) => [`\`${path}\``, shown(at(values, path)), told]);
    return `### ${title}\n\n${text ? `${text}\n\n` : ""}${table(["Value", "Default", "What it does"], cells)}\n`;
  });
  return `# Escriba's Helm chart

<!-- Written by \`npm run docs:chart\` from values.yaml and docs/chart/readme.ts. -->

API, workers, GPU pools with their operator, migration, network policies, alerts and dashboards. You bring PostgreSQL, a
Temporal cluster, an object store and, for understanding and chat, OpenAI-compatible servers of models.

    kubectl create namespace escriba
    kubectl -n escriba create secret generic escriba \\
      --from-literal=database-url='postgresql://USER:PASSWORD@HOST:5432/escriba' \\
      --from-literal=secrets-key="$(openssl rand -base64 32)" \\
      --from-literal=s3-access-key-id=… --from-literal=s3-secret-access-key=…
    kubectl -n escriba create secret generic escriba-tokens \\
      --from-literal=demand-token="$(openssl rand -hex 32)" \\
      --from-literal=drain-token="$(openssl rand -hex 32)"
    helm -n escriba install escriba charts/escriba -f my-values.yaml
    helm -n escriba test escriba --logs

\`examples/\` holds whole sets: [laptop.yaml](examples/laptop.yaml) for a cluster of one node,
[minimal.yaml](examples/minimal.yaml) for transcription alone, [production.yaml](examples/production.yaml) for GPUs with
everything around. More: [install](../../docs/install.md), [upgrade](../../docs/upgrade.md),
[size a cluster](../../docs/sizing.md), [air-gapped](../../docs/air-gapped.md), [the WorkerPool](../../docs/workerpool.md),
[settings of each process](../../docs/settings.md), and [why the chart is as it is](../../docs/decisions/chart.md).

A value that is wrong, unknown, or does not go with another is refused before anything is rendered, by its name.

## Values

${sections.join("\n")}`;
}

function at(values: Record<string, unknown>, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values);
}

function shown(value: unknown): string {
  const text = value === "" ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return text === "" || text === undefined ? "" : `\`${text}\``;
}
