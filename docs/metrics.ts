import { createApp } from "../api/app.ts";
import { readConfig } from "../api/config.ts";
import { createServices } from "../api/services.ts";
import { createMetrics as createInferenceMetrics } from "../inference/metrics.ts";
import { Slots } from "../inference/slots.ts";
import { createOperatorMetrics } from "../operator/metrics.ts";
import { createLog } from "../process/log.ts";
import { createRegistry, Registry } from "../process/metrics.ts";
import { createTracingMetrics } from "../process/tracing/tracer.ts";
import { createDatabase } from "../storage/database.ts";
import { openStore } from "../storage/open-store.ts";
import { createUnderstandingMetrics } from "../understanding/metrics.ts";
import { createUpstreamMetrics } from "../upstream/metrics.ts";
import { createOutboxMetrics, createWorkerMetrics } from "../workflows/metrics.ts";
import { createQueueMetrics } from "../workflows/queue-watch.ts";
import { createTranscriptMetrics } from "../workflows/transcript-metrics.ts";
import { createWebhookMetrics } from "../workflows/webhook-metrics.ts";
import { table } from "./table.ts";

export interface DescribedMetric {
  name: string;
  type: "counter" | "gauge" | "histogram" | "summary";
  help: string;
  labels: readonly string[];
}

/** A process, or a queue that a worker may serve, and what it registers beside what every process does. */
export interface DescribedProcess {
  title: string;
  /** The label `process`. */
  process: string;
  /** Of a worker: the queues that bring these; absent: every worker. */
  queues?: readonly string[];
  metrics: DescribedMetric[];
}

/** Node's and the process's own, from prom-client. */
export function ofEveryProcess(): DescribedMetric[] {
  return described(createRegistry("every"));
}

/** Made by the code that makes them in the processes; test/docs/metrics.test.ts compares with processes that run. */
export function processes(): DescribedProcess[] {
  const own = (register: (registry: Registry) => void) => {
    const registry = new Registry();
    register(registry);
    return described(registry);
  };
  return [
    { title: "`escriba api`", process: "api", metrics: own(registerApi) },
    {
      title: "`escriba worker`, whatever its queues",
      process: "worker",
      metrics: own((to) => {
        createWorkerMetrics(to, () => []);
        createTracingMetrics(to);
      }),
    },
    {
      title: "`escriba worker` of `transcripts`",
      process: "worker",
      queues: ["transcripts"],
      metrics: own((to) => {
        createOutboxMetrics(to);
        createTranscriptMetrics(to);
        createQueueMetrics(to);
      }),
    },
    {
      title: "`escriba worker` of `webhooks`",
      process: "worker",
      queues: ["webhooks"],
      metrics: own((to) => createWebhookMetrics(to)),
    },
    {
      title: "`escriba worker` of `language`",
      process: "worker",
      queues: ["language"],
      metrics: own((to) => {
        createUnderstandingMetrics(to);
        createUpstreamMetrics(to, new Map());
      }),
    },
    { title: "`escriba inference`", process: "inference", metrics: inferenceMetrics() },
    { title: "`escriba operator`", process: "operator", metrics: own((to) => createOperatorMetrics(to)) },
  ];
}

/** The application as it is put together, with a database that nobody asks. */
function registerApi(registry: Registry): void {
  const settings = readConfig({
    ESCRIBA_DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing",
    ESCRIBA_OBJECT_STORE: "file:///nothing",
    ESCRIBA_SECRETS_KEY: Buffer.alloc(32).toString("base64"),
  });
  const database = createDatabase(settings.ESCRIBA_DATABASE_URL);
  const objects = openStore(settings.ESCRIBA_OBJECT_STORE);
  createApp(createServices(settings, registry, { database, objects, log: createLog("api", "silent") }));
}

function inferenceMetrics(): DescribedMetric[] {
  const kind = { slots: new Slots(1, 1), residentBytes: () => 0 };
  const every = new Set(ofEveryProcess().map(({ name }) => name));
  const { registry } = createInferenceMetrics({ chat: kind, embeddings: kind });
  return described(registry).filter(({ name }) => !every.has(name));
}

function described(registry: Registry): DescribedMetric[] {
  // prom-client's types leave out what its metrics hold.
  const metrics = registry.getMetricsAsArray() as unknown as (Omit<DescribedMetric, "labels"> & {
    labelNames: readonly string[];
  })[];
  return metrics.map(({ name, type, help, labelNames }) => ({
    name,
    type,
    help,
    labels: labelNames.filter((label) => label !== "le" && label !== "quantile"),
  }));
}

/** docs/metrics.md. */
export function metricsPage(): string {
  const rows = (metrics: DescribedMetric[]) =>
    metrics.map(({ name, type, help, labels }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(", "),
      help,
    ]);
  const section = ({ title, metrics }: Pick<DescribedProcess, "title" | "metrics">) =>
    `## ${title}\n\n${table(["Metric", "Type", "Labels", "What it is"], rows(metrics))}\n`;
  const sections = processes().map(section);
  return `# Metrics

<!-- Written by \`npm run docs:metrics\` from what the processes register. -->

Every process answers \`/metrics\` in Prometheus' format, on its metrics listener (port 9464; \`escriba inference\` on its
own port). Every series has the label \`process\`; a Prometheus that finds pods by itself adds \`namespace\` and \`pod\`, which
the [alerts](operations.md#alerts) and [dashboards](operations.md#dashboards) go by. A histogram is three series: \`_bucket\`,
\`_sum\` and \`_count\`. Beside what stands here every process has prom-client's \`process_…\` (CPU, memory, open files) and
\`nodejs_…\` (event loop, heap, garbage collection).

${sections.join("\n")}`;
}
