import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { type DescribedMetric, ofEveryProcess, processes } from "../../docs/metrics.ts";
import { startOperatorRole } from "../../operator/main.ts";
import { WORKER_QUEUES } from "../../workflows/config.ts";
import { startHarness } from "../api/harness.ts";
import { startServer } from "../inference/server.ts";
import { DoubleEngine } from "../workflows/doubles.ts";
import { type Stack, startStack } from "../workflows/stack.ts";

/** What docs/metrics.md says of a process, and of a worker with these queues. */
function described(process: string, queue?: string): string[] {
  const own = processes().filter((one) => one.process === process && (!one.queues || one.queues.includes(queue ?? "")));
  const metrics = [...own.flatMap((one) => one.metrics), ...ofEveryProcess()];
  return [...new Set(metrics.map(({ name, type }: DescribedMetric) => `${type} ${name}`))].sort();
}

/** What a process that runs registers. */
async function scraped(url: string): Promise<string[]> {
  const text = await (await fetch(url)).text();
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${type} ${name}`).sort();
}

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

test.serial("the API has the metrics that the page says", async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.stop());
  t.deepEqual(await scraped(harness.api.metricsUrl), described("api"));
});

for (const queue of WORKER_QUEUES) {
  test.serial(`a worker of ${queue} has the metrics that the page says`, async (t) => {
    const worker = await stack.worker({ engine: new DoubleEngine() }, { ESCRIBA_QUEUES: queue });
    t.deepEqual(await scraped(worker.metricsUrl), described("worker", queue));
    await worker.drain();
  });
}

test.serial("the inference server has the metrics that the page says", async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  t.deepEqual(await scraped(`${server.url}/metrics`), described("inference"));
});

test.serial("an operator that waits for its API server has the metrics that the page says", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-operator-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "config");
  const named = (name: string, value: object) => [{ name, ...value }];
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "away",
    clusters: named("away", { cluster: { server: "http://127.0.0.1:9" } }),
    users: named("nobody", { user: {} }),
    contexts: named("away", { context: { cluster: "away", user: "nobody" } }),
  };
  await writeFile(file, JSON.stringify(config));
  const operator = await startOperatorRole({
    KUBECONFIG: file,
    ESCRIBA_METRICS_PORT: "0",
    ESCRIBA_OPERATOR_NAMESPACES: "escriba",
    ESCRIBA_LOG_LEVEL: "silent",
  });
  operator.ended.catch(() => undefined);
  t.teardown(() => operator.stop().catch(() => undefined));
  t.deepEqual(await scraped(operator.ready.metricsUrl), described("operator"));
});
