import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { NativeConnection, Worker } from "@temporalio/worker";
import type { Logger } from "../../../process/log.ts";
import { createRegistry } from "../../../process/metrics.ts";
import type { ObjectStore } from "../../../storage/object-store.ts";
import { openStore } from "../../../storage/open-store.ts";
import { startTestTemporal } from "../../../test/support/temporal.ts";
import { writeObject } from "../../../workflows/activities/objects.ts";
import { workflowBundle } from "../../../workflows/bundle.ts";
import { workerConfig } from "../../../workflows/config.ts";
import { createWorkerMetrics } from "../../../workflows/metrics.ts";
import { TASK_QUEUES, TRANSCRIBE, type TranscribeInput } from "../../../workflows/names.ts";
import { codesOnly } from "../../../workflows/step-interceptor.ts";
import { startWorker } from "../../../workflows/worker.ts";
import { type Request, recordlessSteps, requestKey, uploadKey } from "./steps.ts";

/** The product without its API and its database. */
export interface Pipeline {
  store: ObjectStore;
  /**
   * Runs a transcript to its end; its objects are in the store afterwards. Objects of the same id that are there
   * already are not made again. Rejects with the failure's code.
   */
  run(id: string, audio: string, request: Request): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any recording takes on a busy machine. */
const DEADLINE_MS = 24 * 3_600_000;

/**
 * A Temporal server of its own, the real workflow, and the real workers of every queue that hears and understands, with
 * their child processes. Only the database steps are others (steps.ts). `directory` keeps the objects.
 * `runtime.ts` is installed by the process before.
 * @param environment settings of the workers besides those made here, such as ESCRIBA_UPSTREAMS.
 */
export async function startPipeline(
  directory: string,
  environment: Record<string, string | undefined>,
  log: Logger,
): Promise<Pipeline> {
  await mkdir(directory, { recursive: true });
  const parts = new AsyncDisposableStack();
  try {
    const scratch = await mkdtemp(join(tmpdir(), "escriba-eval-"));
    parts.defer(() => rm(scratch, { recursive: true, force: true }));
    const temporal = await startTestTemporal();
    parts.defer(() => temporal.stop());
    const objectStore = pathToFileURL(directory).href;
    const store = openStore(objectStore);
    const config = workerConfig({
      ...environment,
      ESCRIBA_QUEUES: ["media", "speech", "speech-short", "language"].join(","),
      ESCRIBA_TEMPORAL_ADDRESS: temporal.address,
      ESCRIBA_OBJECT_STORE: objectStore,
      ESCRIBA_SCRATCH_DIR: scratch,
      ESCRIBA_METRICS_PORT: "0",
    });
    const worker = await startWorker(config, log);
    parts.defer(() => worker.drain());
    const connection = await NativeConnection.connect({ address: temporal.address });
    parts.defer(() => connection.close());
    const metrics = createWorkerMetrics(createRegistry("eval"), () => []);
    const workflows = await Worker.create({
      connection,
      taskQueue: TASK_QUEUES.transcripts,
      activities: recordlessSteps(store),
      workflowBundle: await workflowBundle(null, log),
      interceptors: { activity: [(context) => codesOnly({ log, metrics }, context)] },
    });
    const running = workflows.run();
    parts.defer(async () => {
      workflows.shutdown();
      await running;
    });
    const kept = parts.move();
    return {
      store,
      run: async (id, audio, request) => {
        await writeObject(store, requestKey(id), request);
        await store.put(uploadKey(id), createReadStream(audio));
        const input: TranscribeInput = {
          transcriptId: id,
          organizationId: "eval",
          fairnessKey: "eval",
          fairnessWeight: 1,
          deadlineAt: Date.now() + DEADLINE_MS,
        };
        try {
          const options = { taskQueue: TASK_QUEUES.transcripts, workflowId: id, args: [input] };
          await temporal.client.workflow.execute(TRANSCRIBE, options);
        } finally {
          await store.delete(uploadKey(id));
        }
      },
      close: () => kept.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}
