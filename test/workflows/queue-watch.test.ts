import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { NativeConnection, Worker } from "@temporalio/worker";
import test from "ava";
import { createLog } from "../../process/log.ts";
import { createRegistry } from "../../process/metrics.ts";
import { createQueueMetrics, readQueue, watchQueues } from "../../workflows/queue-watch.ts";
import { installRuntime } from "../../workflows/runtime.ts";
import { startTestTemporal, type TestTemporal } from "../support/temporal.ts";
import { eventually } from "./stack.ts";

const log = createLog("watch", "silent");
let temporal: TestTemporal;
test.before(async () => {
  temporal = await startTestTemporal();
});
test.after.always(() => temporal?.stop());

test.serial("what waits on a queue is counted with its age, and so is who works on it", async (t) => {
  const { client } = temporal;
  const read = (queue: "transcripts" | "speech") => readQueue(client, queue, Date.now());
  t.like(await read("speech"), { backlog: 0, oldestSeconds: 0, workers: 0 });
  // Nobody serves it: workflows' first tasks wait.
  const wait = (workflowId: string) =>
    client.workflow.start("transcribe", { taskQueue: "transcripts", workflowId, args: [] });
  const handles = await Promise.all([wait(randomUUID()), wait(randomUUID())]);
  await eventually(async () => (await read("transcripts")).backlog === 2);
  await eventually(async () => (await read("transcripts")).oldestSeconds >= 1);
  t.is((await read("transcripts")).workers, 0);

  installRuntime(log);
  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({ connection, taskQueue: "speech", activities: { noop: async () => undefined } });
  const running = worker.run();
  await eventually(async () => (await read("speech")).workers === 1);
  worker.shutdown();
  await running;
  await connection.close();
  // A poller of three minutes ago is no worker.
  t.is((await readQueue(client, "speech", Date.now() + 180_000)).workers, 0);
  for (const handle of handles) await handle.terminate();
});

test.serial("the watch writes every queue's figures, survives Temporal's silence, and ends when told", async (t) => {
  const registry = createRegistry("test");
  const stop = new AbortController();
  let answers = false;
  const { client } = temporal;
  const workflowService = {
    describeTaskQueue: (request: Parameters<typeof client.workflowService.describeTaskQueue>[0]) =>
      answers ? client.workflowService.describeTaskQueue(request) : Promise.reject(new Error("away")),
  };
  const away = { options: client.options, workflowService } as unknown as typeof client;
  const watch = { client: away, metrics: createQueueMetrics(registry), log, now: Date.now };
  const watching = watchQueues(watch, stop.signal, 10);
  await sleep(50);
  answers = true;
  const seen = async () => (await registry.getSingleMetric("escriba_queue_workers")?.get())?.values ?? [];
  await eventually(async () => (await seen()).length === 7);
  stop.abort();
  await watching;
  t.deepEqual((await seen()).map(({ labels }) => labels.queue).toSorted(), [
    "fetch",
    "language",
    "media",
    "speech",
    "speech-short",
    "transcripts",
    "webhooks",
  ]);
});
