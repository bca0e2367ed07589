import { mkdir, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { createLog } from "../process/log.ts";
import { migrate } from "../storage/migrate.ts";
import { type EmbeddedConfig, statePaths } from "./config.ts";
import { removeDevFile } from "./dev-file.ts";
import { firstOrganization } from "./first-organization.ts";
import { EmbeddedInference, type InferenceReady } from "./inference.ts";
import { takeLock } from "./lock.ts";
import { fetchModels } from "./models.ts";
import { choosePort } from "./ports.ts";
import { startPostgres } from "./postgres.ts";
import type { Bar } from "./progress.ts";
import { Role, RoleFailed } from "./role.ts";
import { secretsKey } from "./secrets-key.ts";
import { watchServer } from "./server.ts";
import type { Stopping } from "./signals.ts";
import { makeStateDirectory } from "./state-directory.ts";
import { startTemporal } from "./temporal.ts";

export interface Stack {
  /** Without a slash at the end, e.g. `http://127.0.0.1:8080`. */
  baseUrl: string;
  apiKey: string;
  metricsUrl: string;
  /** Of the server of chat and embeddings, which is there soon after the rest. */
  inferenceUrl: string;
  /** Resolves with whether chat and embeddings answer, once that is known; never rejects. */
  inferenceStarted: Promise<boolean>;
  /** Rejects when a part died and could not be brought back; never resolves. */
  failed: Promise<never>;
  /** In the order of dependence, last first: the API drains before the workers, the database goes last. */
  stop(): Promise<void>;
}

export interface StackOptions {
  /** Says in a line what is being done. */
  report: (line: string) => void;
  bar: Bar;
  stopping: Stopping;
  /**
   * Whether chat and embeddings are wanted as much as transcripts: their models are fetched, after the start. Else what
   * is in the cache is used, with what transcripts leave of the processor.
   */
  wantInference: boolean;
}

/** Milliseconds a role has to finish what it holds; the kill comes a little after the role's own limit. */
const GRACE_SECONDS = 20;
const KILL_AFTER_MS = (GRACE_SECONDS + 5) * 1_000;
const START_MS = 120_000;
/** Of a process that must not slow down a transcript: about a tenth of a core while others want it. */
const BESIDE = 10;

/**
 * Starts everything on 127.0.0.1 with its state in one directory: PostgreSQL, Temporal, then the same roles that run in
 * production, each a child process. Rejects with what is in the way (StateInUse, PortInUse, RoleFailed, ModelError, …)
 * after stopping what was started, or with the reason of `stopping.asked`.
 */
export async function startStack(config: EmbeddedConfig, options: StackOptions): Promise<Stack> {
  const parts = new AsyncDisposableStack();
  try {
    return await startParts(config, options, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function startParts(
  config: EmbeddedConfig,
  { report, bar, stopping, wantInference }: StackOptions,
  parts: AsyncDisposableStack,
): Promise<Stack> {
  const paths = statePaths(config.stateDir);
  await makeStateDirectory(config.stateDir);
  const lock = await takeLock(paths.lock, ({ name, pid }) =>
    report(`Ending the ${name} (process ${pid}) that an earlier stack left running.`),
  );
  parts.defer(() => lock.release());
  await mkdir(paths.logs, { recursive: true });
  await removeDevFile(paths.devFile);
  await rm(paths.scratch, { recursive: true, force: true }); // half files of a stack that was killed
  const logFile = join(paths.logs, "stack.log");
  const log = createLog("stack", config.logLevel, pino.destination({ dest: logFile, sync: true }));

  const port = await choosePort(config.port, "ESCRIBA_API_PORT", "the API");
  const metricsPort = await choosePort(config.metricsPort, "ESCRIBA_METRICS_PORT", "the metrics listener");

  const inferencePort = await choosePort(config.inference.port, "ESCRIBA_INFERENCE_PORT", "the inference server");

  const models = await fetchModels(config, bar, stopping.asked);
  stopping.asked.throwIfAborted();

  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // the stack may be stopped before anyone listens
  const keep = async (name: string, server: { pid: number | undefined; stop(): Promise<void> }) => {
    const onDeath = (how: string) => failure.reject(new RoleFailed(`${how}. Its log is ${logFile}`));
    parts.defer(watchServer({ name, pid: server.pid, stop: () => server.stop() }, onDeath));
    if (server.pid !== undefined) await lock.addChild(name, server.pid);
  };

  report("Starting PostgreSQL and Temporal");
  const postgres = await startPostgres({ dir: paths.postgres, persistent: true, log });
  await keep("PostgreSQL", postgres);
  await migrate(postgres.url);
  const temporal = await startTemporal({ dbFile: join(paths.temporal, "temporal.db"), binary: models.temporal, log });
  await keep("Temporal", temporal);
  stopping.asked.throwIfAborted();

  const { apiKey } = await firstOrganization(postgres.url, paths.key);
  const sealing = { ESCRIBA_SECRETS_KEY: await secretsKey(paths.secretsKey) };

  const common = {
    ...config.inherited,
    ESCRIBA_LOG_LEVEL: config.logLevel,
    ESCRIBA_OBJECT_STORE: pathToFileURL(paths.objects).href,
    ESCRIBA_TEMPORAL_ADDRESS: temporal.address,
    ESCRIBA_TEMPORAL_NAMESPACE: "default",
    ESCRIBA_MODELS_DIR: config.models.dir,
    ESCRIBA_METRICS_HOST: "127.0.0.1",
    ESCRIBA_GRACE_SECONDS: String(GRACE_SECONDS),
  };
  const makeRole = <Ready>(
    name: string,
    args: string[],
    env: Record<string, string>,
    onFailed: (error: RoleFailed) => void,
  ): Role<Ready> =>
    new Role<Ready>({
      name,
      module: new URL("../cli/escriba.ts", import.meta.url),
      args,
      env: { ...common, ...env },
      logFile: join(paths.logs, `${name}.log`),
      startMs: START_MS,
      onStarted: (pid) => {
        void lock.addChild(name, pid);
        if (name === "inference" && !wantInference) setPriority(pid, BESIDE);
      },
      onRestart: (how) => report(`The ${name} ${how}; starting it again.`),
      onFailed,
    });
  const start = async <Ready>(name: string, args: string[], env: Record<string, string>): Promise<Ready> => {
    stopping.asked.throwIfAborted();
    const scratch = join(paths.scratch, name);
    await mkdir(scratch, { recursive: true });
    const role = makeRole<Ready>(name, args, { ESCRIBA_SCRATCH_DIR: scratch, ...env }, failure.reject);
    parts.defer(() => role.stop(KILL_AFTER_MS));
    stopping.hurried.addEventListener("abort", () => role.kill(), { once: true });
    return await role.start();
  };

  const inference = new EmbeddedInference(config, {
    port: inferencePort,
    fetch: wantInference ? bar : undefined,
    report,
    role: (env, onFailed) => makeRole<InferenceReady>("inference", ["inference"], env, onFailed),
  });
  parts.defer(() => inference.stop(KILL_AFTER_MS));
  stopping.hurried.addEventListener("abort", () => inference.kill(), { once: true });

  report("Starting the workers and the API");
  // As in production, the workers that hear recordings hold no way into the database.
  await Promise.all([
    start("worker", ["worker", "--queues", "transcripts,fetch,webhooks"], {
      ...sealing,
      ESCRIBA_DATABASE_URL: postgres.url,
      ESCRIBA_MAIL_DIR: paths.mail,
      UV_THREADPOOL_SIZE: "40", // a slot of the webhooks queue may hold a thread (workflows/config.ts)
      ESCRIBA_METRICS_PORT: "0",
    }),
    start("speech-worker", ["worker", "--queues", "media,speech,speech-short"], {
      ESCRIBA_DATABASE_URL: "",
      ESCRIBA_METRICS_PORT: "0",
    }),
    start("language-worker", ["worker", "--queues", "language"], {
      ESCRIBA_DATABASE_URL: "",
      ESCRIBA_METRICS_PORT: "0",
      ESCRIBA_UPSTREAMS: JSON.stringify(inference.upstreams),
      ESCRIBA_UNDERSTANDING_PATIENCE: config.inherited.ESCRIBA_UNDERSTANDING_PATIENCE || inference.patience,
    }),
  ]);
  await start("api", ["api"], {
    ...sealing,
    ESCRIBA_DATABASE_URL: postgres.url,
    ESCRIBA_API_HOST: "127.0.0.1",
    ESCRIBA_API_PORT: String(port),
    // The API shows its own documentation, so that `doc_url` of an error leads somewhere.
    ESCRIBA_DOCS_URL: config.inherited.ESCRIBA_DOCS_URL || `http://127.0.0.1:${port}/docs`,
    ESCRIBA_METRICS_PORT: String(metricsPort),
    ESCRIBA_UPSTREAMS: JSON.stringify(inference.upstreams),
  });
  inference.start();

  const kept = parts.move();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    inferenceUrl: inference.url,
    inferenceStarted: inference.started,
    failed: failure.promise,
    stop: () => kept.disposeAsync(),
  };
}
