import { Client } from "@temporalio/client";
import type { Registry } from "../process/metrics.ts";
import { closeDatabase, createDatabase } from "../storage/database.ts";
import { listenToOutbox } from "../storage/outbox-listener.ts";
import { createSchemaCheck, waitForSchema } from "../storage/schema-check.ts";
import { createDatabaseActivities } from "./activities/database.ts";
import { createOutboxMetrics } from "./metrics.ts";
import { TASK_QUEUES } from "./names.ts";
import { organizationAttribute } from "./organization-attribute.ts";
import { createQueueMetrics, watchQueues } from "./queue-watch.ts";
import { Alarm, runRelay } from "./relay.ts";
import type { ServedQueues, WorkerParts } from "./served-queue.ts";
import { runSweeper, SWEEPER_DEFAULTS } from "./sweeper.ts";
import { connectClient } from "./temporal-connection.ts";
import { hasAttribute } from "./temporal-namespace.ts";
import { createTranscriptMetrics } from "./transcript-metrics.ts";

/** Workflows, database steps, the relay and the sweeper: the one queue whose workers hold a database connection. */
export async function serveTranscripts({ config, log, store }: WorkerParts, registry: Registry): Promise<ServedQueues> {
  if (!config.database) throw new Error("the transcripts queue needs a database");
  const db = createDatabase(config.database.url, { maxConnections: config.database.connections });
  const check = createSchemaCheck(db);
  await waitForSchema(check, log);
  const { namespace } = config.temporal;
  const connection = await connectClient(config.temporal);
  const interceptors = (await hasAttribute(connection, namespace)) ? { workflow: [organizationAttribute] } : {};
  const client = new Client({ connection, namespace, interceptors });
  const dependencies = { db, client, store, metrics: createOutboxMetrics(registry), log };
  const transcripts = createTranscriptMetrics(registry);
  const queues = { client, metrics: createQueueMetrics(registry), log, now: Date.now };
  const stopping = new AbortController();
  const alarm = new Alarm();
  const running = Promise.all([
    listenToOutbox(config.database.url, () => alarm.ring(), { log, signal: stopping.signal }),
    runRelay({ ...dependencies, alarm }, stopping.signal),
    runSweeper({ ...dependencies, transcripts, now: Date.now }, SWEEPER_DEFAULTS, stopping.signal),
    watchQueues(queues, stopping.signal),
  ]);
  return {
    queues: [TASK_QUEUES.transcripts],
    steps: createDatabaseActivities({ db, store, metrics: transcripts }),
    workflows: true,
    check,
    stop: async () => {
      stopping.abort();
      await running;
    },
    close: async () => {
      await connection.close();
      await closeDatabase(db);
    },
  };
}
