import type { Connection } from "@temporalio/client";
import { TASK_QUEUES } from "../../workflows/names.ts";
import { connectClient } from "../../workflows/temporal-connection.ts";
import { readTemporalSettings, type TemporalSettings } from "../../workflows/temporal-settings.ts";
import { type Examination, type Finding, messageOf, ok, Problem, warning } from "./check.ts";
import type { Settings } from "./config.ts";
import { AHEAD, LATE, probeFairness } from "./fairness-probe.ts";

/** A transcript lives up to 48 h, and whoever mends it asks what became of its workflow. */
const LEAST_RETENTION_HOURS = 72;

/** Server settings that turn fairness on; docs/operations.md says where each goes. */
const FAIRNESS_SETTINGS = [
  "on the Temporal server, in its dynamic configuration: matching.enableFairness: true and matching.autoEnableV2: true",
  "for the queues speech, speech-short and language besides: matching.numTaskqueueReadPartitions: 1 and matching.numTaskqueueWritePartitions: 1 (fairness holds inside one partition)",
  "until then bounded fan-out and the workers' own turns keep the shares acceptable",
];

/** Temporal: reachable, namespace, who serves the queues, fairness between organizations. */
export async function examineTemporal(settings: Settings, examination: Examination): Promise<void> {
  const { ESCRIBA_TEMPORAL_NAMESPACE: namespace } = settings;
  const connection = await examination.check("reachable", 15_000, () => connect(readTemporalSettings(settings)));
  if (!connection) return;
  try {
    const exists = await examination.check("namespace", 10_000, (signal) =>
      connection.withAbortSignal(signal, () => describeNamespace(connection, namespace)),
    );
    if (!exists) return;
    await examination.check("queues", 20_000, (signal) =>
      connection.withAbortSignal(signal, () => describeQueues(connection, namespace)),
    );
    await examination.check("fairness", 90_000, (signal) => fairness(connection, namespace, signal));
  } finally {
    await connection.close();
  }
}

async function connect(settings: TemporalSettings): Promise<{ finding: Finding; value: Connection }> {
  const { address, tls } = settings;
  const connection = await connectClient(settings, { connectTimeout: 10_000 }).catch((error: unknown) => {
    throw new Problem(
      messageOf(error),
      "ESCRIBA_TEMPORAL_ADDRESS must be host:port of the frontend (gRPC, 7233 by default), the network must let this process reach it, and the ESCRIBA_TEMPORAL_… of TLS and keys must be those of the server",
    );
  });
  try {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    const numbers = { version: serverVersion, encrypted: tls !== null };
    return { finding: ok(`${address}${tls ? " by TLS" : ""}, server ${serverVersion}`, numbers), value: connection };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function describeNamespace(connection: Connection, namespace: string): Promise<Finding> {
  const { config } = await connection.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    throw new Problem(
      `namespace ${namespace}: ${error instanceof Error ? error.message : error}`,
      `temporal operator namespace create --namespace ${namespace} --retention ${LEAST_RETENTION_HOURS}h`,
    );
  });
  const hours = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 3_600;
  const numbers = { retentionHours: hours };
  if (hours >= LEAST_RETENTION_HOURS) return ok(`${namespace} keeps closed workflows ${hours} h`, numbers);
  return warning(
    `${namespace} keeps closed workflows ${hours} h only`,
    [`temporal operator namespace update --namespace ${namespace} --retention ${LEAST_RETENTION_HOURS}h`],
    numbers,
  );
}

const WORKFLOW = 1;
const ACTIVITY = 2;

/** A queue that scales from zero has nobody when it is idle; work that waits for nobody is worth a word. */
async function describeQueues(connection: Connection, namespace: string): Promise<Finding> {
  const queues = await Promise.all(
    Object.values(TASK_QUEUES).map(async (name) => {
      const taskQueueType = name === TASK_QUEUES.transcripts ? WORKFLOW : ACTIVITY;
      const request = { namespace, taskQueue: { name }, taskQueueType, reportStats: true };
      const { pollers, stats } = await connection.workflowService.describeTaskQueue(request);
      return { name, workers: pollers.length, waiting: Number(stats?.approximateBacklogCount ?? 0) };
    }),
  );
  const said = queues.map(({ name, workers, waiting }) => `${name} ${workers}${waiting ? ` (${waiting} wait)` : ""}`);
  const text = `workers of each queue in the last minutes: ${said.join(", ")}`;
  const numbers = Object.fromEntries(
    queues.flatMap(({ name, workers, waiting }) => [
      [`${name}_workers`, workers],
      [`${name}_waiting`, waiting],
    ]),
  );
  const stuck = queues.filter(({ workers, waiting }) => workers === 0 && waiting > 0).map(({ name }) => name);
  if (stuck.length === 0) return ok(text, numbers);
  return warning(
    text,
    [`nobody works on ${stuck.join(", ")}: start \`escriba worker --queues …\`, or look at \`kubectl get wp\``],
    numbers,
  );
}

async function fairness(connection: Connection, namespace: string, signal: AbortSignal): Promise<Finding> {
  const { on, positions, handedOut } = await probeFairness(connection, namespace, signal);
  const said = `${on ? "ON" : "OFF"}: ${LATE} activities behind another organization's ${AHEAD} were handed out as numbers ${positions.join(", ")}`;
  const numbers = { on, positions, handedOut };
  return on ? ok(said, numbers) : warning(said, FAIRNESS_SETTINGS, numbers);
}
