import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createTranscript, type TranscriptRequest } from "../../billing/create-transcript.ts";
import { type Balance, readBalance } from "../../billing/credit.ts";
import { createLog } from "../../process/log.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { openStore } from "../../storage/open-store.ts";
import { readTranscriptForWork, type Transcript } from "../../storage/transcripts.ts";
import { workflowBundle } from "../../workflows/bundle.ts";
import { workerConfig } from "../../workflows/config.ts";
import { installRuntime } from "../../workflows/runtime.ts";
import type { Replacements } from "../../workflows/served-queue.ts";
import { type RunningWorker, startWorker } from "../../workflows/worker.ts";
import { newFile, newOrganization, transcriptRequest } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startTestTemporal, type TestTemporal } from "../support/temporal.ts";

/** Real Temporal, PostgreSQL and disk store for one test file, with workers on demand. */
export interface Stack {
  postgres: TestPostgres;
  temporal: TestTemporal;
  store: ObjectStore;
  directory: string;
  /** Settings of a worker of this stack, as environment variables. */
  environment: Record<string, string>;
  /** The real worker as a process of its own, as it runs in production. Resolves when it is ready. */
  process(queues: string, environment?: Record<string, string>): Promise<WorkerProcess>;
  worker(replaced: Replacements, environment?: Record<string, string>): Promise<RunningWorker>;
  /** Uploads `audio` and asks for its transcript, in an organization of its own with one euro. */
  submit(audio: Uint8Array, changes?: Submission): Promise<Submitted>;
  stop(): Promise<void>;
}

export interface WorkerProcess {
  metrics(): Promise<string>;
  /** As the kernel would when memory is short: the worker and the processes it started. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  end(): Promise<number | null>;
}

export interface Submission extends Partial<TranscriptRequest> {
  creditEur?: string;
  /** An organization that exists; else a new one. */
  organizationId?: string;
  /** As the probe measured it. */
  durationMs?: number | null;
}

export interface Submitted {
  id: string;
  organizationId: string;
  uploadKey: string;
  /** Resolves when the row is final; null when it is gone. */
  final(): Promise<Transcript | null>;
  balance(): Promise<Balance>;
  /** Kinds of ledger transactions, in order. */
  ledger(): Promise<string[]>;
  /** Names of the events, in order. */
  events(): Promise<string[]>;
  objects(): Promise<string[]>;
}

const log = createLog("worker", process.env.ESCRIBA_TEST_LOG ?? "silent");

export async function startStack(server: Parameters<typeof startTestTemporal>[0] = {}): Promise<Stack> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-workflows-"));
  const [postgres, temporal, bundle] = await Promise.all([
    startTestPostgres(),
    startTestTemporal(server),
    workflowBundle(null, log),
  ]);
  const bundlePath = join(directory, "workflows.js");
  await writeFile(bundlePath, "code" in bundle ? bundle.code : "");
  const objectStore = pathToFileURL(join(directory, "objects")).href;
  const store = openStore(objectStore);
  const environment = {
    ESCRIBA_LOG_LEVEL: "silent",
    ESCRIBA_TEMPORAL_ADDRESS: temporal.address,
    ESCRIBA_DATABASE_URL: postgres.url,
    ESCRIBA_OBJECT_STORE: objectStore,
    ESCRIBA_SECRETS_KEY: randomBytes(32).toString("base64"),
    ESCRIBA_SCRATCH_DIR: join(directory, "scratch"),
    ESCRIBA_METRICS_PORT: "0",
    ESCRIBA_GRACE_SECONDS: "20",
    ESCRIBA_WORKFLOW_BUNDLE: bundlePath,
    ESCRIBA_MODELS_DIR: process.env.ESCRIBA_MODELS_DIR ?? "",
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? "",
  };
  const workers: RunningWorker[] = [];
  return {
    postgres,
    temporal,
    store,
    directory,
    environment,
    process: (queues, more = {}) => startProcess(queues, { ...environment, ...more }),
    worker: async (replaced, more = {}) => {
      // Only now: without a worker that ends, the runtime would keep the process alive.
      if (workers.length === 0) installRuntime(log);
      const worker = await startWorker(workerConfig({ ...environment, ...more }), log, replaced);
      workers.push(worker);
      return worker;
    },
    submit: (audio, changes) => submit(postgres, store, audio, changes),
    stop: async () => {
      // Those that a test which failed has left; without Temporal they would not end.
      await Promise.allSettled(workers.map((worker) => worker.drain()));
      await temporal.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const ESCRIBA = new URL("../../cli/escriba.ts", import.meta.url);

async function startProcess(queues: string, environment: Record<string, string>): Promise<WorkerProcess> {
  const child = fork(ESCRIBA, ["worker", "--queues", queues], {
    env: { ...process.env, ...environment },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const metricsUrl = await new Promise<string>((resolve, reject) => {
    child.once("message", (message: { ready: { metricsUrl: string } }) => resolve(message.ready.metricsUrl));
    void gone.then((code) => reject(new Error(`the worker ended with ${code}`)));
  });
  return {
    metrics: async () => (await fetch(metricsUrl)).text(),
    kill: async () => {
      child.kill("SIGKILL"); // the engine's process ends by itself when its channel closes
      await gone;
    },
    end: () => {
      child.kill("SIGTERM");
      return gone;
    },
  };
}

async function submit(
  { db }: TestPostgres,
  store: ObjectStore,
  audio: Uint8Array,
  { creditEur = "1", durationMs = null, ...changes }: Submission = {},
): Promise<Submitted> {
  const organizationId = changes.organizationId ?? (await newOrganization(db, { creditEur })).id;
  const file = await newFile(db, organizationId, durationMs);
  await store.put(file.objectKey, audio);
  const source = changes.source ?? { fileId: file.id, durationMs };
  const created = await createTranscript(db, transcriptRequest(organizationId, source, changes));
  if (created.outcome !== "ok") throw new Error(`not created: ${created.outcome}`);
  const { id } = created;
  return {
    id,
    organizationId,
    uploadKey: file.objectKey,
    final: async () => {
      for (;;) {
        const row = await readTranscriptForWork(db, id);
        if (row === null || row.completedAt !== null) return row;
        await sleep(50);
      }
    },
    balance: () => readBalance(db, organizationId),
    ledger: async () => {
      const rows = await db.ledgerTransaction.findMany({ where: { transcriptId: id }, orderBy: { id: "asc" } });
      return rows.map(({ kind }) => kind);
    },
    events: async () => {
      const rows = await db.event.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } });
      return rows.map(({ event }) => event);
    },
    objects: () => Array.fromAsync(store.list(`transcripts/${id}/`)),
  };
}

/** Asks until the answer is one, for effects that follow a commit. */
export async function eventually<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await sleep(50);
  }
}
