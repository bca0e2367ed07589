import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { demandRoutes } from "../../api/demand.ts";
import { createRegistry, serveMetrics } from "../../process/metrics.ts";
import { PodProcesses, PROCESS_FATE } from "../../test/cluster/pod-processes.ts";
import { workerTemplate } from "../../test/cluster/pool.ts";
import { DEMAND_TOKEN, DRAIN_TOKEN, eventually, NAMESPACE, type Stage } from "../../test/cluster/stage.ts";
import { startStack } from "../../test/workflows/stack.ts";
import { round } from "../benchmark.ts";

const POOL = "from-zero";
const RECORDING = new URL("../../test/fixtures/call-en.ogg", import.meta.url);
/** What the probe says of it when it is uploaded. */
const DURATION_MS = 42_000;
/** Of the operator. */
const ROUND_MS = 2_000;

/** Seconds since the recording was accepted. */
export interface FromZero {
  /** Its pod has a node, and the worker's process begins. */
  begun: number;
  /** The worker has loaded its models and polls. */
  ready: number;
  /** The transcript is there. */
  result: number;
}

/**
 * From the acceptance of a short recording to its finished transcript while no speech worker runs: the API's own
 * demand, the operator's decision, the scheduler, a worker of its own process that loads its models from the cache.
 */
export async function fromZero(stage: Stage, runs: number, say: (line: string) => void): Promise<FromZero[]> {
  const stack = await startStack();
  const at = { begun: 0, ready: 0 };
  const processes = new PodProcesses(stage.plane, stage.api, {
    namespace: NAMESPACE,
    module: new URL("../../cli/escriba.ts", import.meta.url),
    args: ["worker"],
    onEvent: (what) => {
      at[what] = performance.now();
    },
  });
  const demand = await serveMetrics(
    createRegistry("api"),
    { ready: () => Promise.resolve() },
    { host: "127.0.0.1", port: 0 },
    demandRoutes({ database: stack.postgres.db, token: DEMAND_TOKEN, key: randomBytes(32), now: Date.now }),
  );
  try {
    await stack.worker({}, { ESCRIBA_QUEUES: "transcripts,media,language" });
    processes.start();
    const env = {
      ...stack.environment,
      ESCRIBA_QUEUES: "speech,speech-short",
      ESCRIBA_DRAIN_TOKEN: DRAIN_TOKEN,
      HOME: process.env.HOME ?? "",
    };
    const recording = await readFile(RECORDING);
    await stage.apply(
      stage.manifest(POOL, {
        queues: ["speech", "speech-short"],
        scaling: { minReplicas: 0, maxReplicas: 1, slotsPerPod: 3 },
        demand: {
          url: new URL("/internal/demand", demand.url).href,
          tokenSecret: { name: "tokens", key: "demand" },
        },
        template: workerTemplate({ annotations: PROCESS_FATE, env }),
      }),
    );
    const found: FromZero[] = [];
    while (found.length < runs) {
      await eventually(
        "zero pods",
        () => stage.pods(POOL),
        (pods) => pods.length === 0,
      );
      // At a moment that has nothing to do with the operator's own rhythm.
      await sleep(Math.random() * ROUND_MS);
      const { final } = await stack.submit(recording, { language: "en", durationMs: DURATION_MS });
      const begun = performance.now();
      const row = await final();
      if (row?.status !== "completed") throw new Error(`a transcript ended ${row?.status}`);
      const since = (moment: number) => round((moment - begun) / 1_000, 2);
      const one = { begun: since(at.begun), ready: since(at.ready), result: since(performance.now()) };
      found.push(one);
      say(
        `${found.length} of ${runs}: a worker begins after ${one.begun} s, is ready after ${one.ready} s, a result after ${one.result} s`,
      );
    }
    return found;
  } finally {
    await stage.plane.kubectl(["delete", "wp", POOL, "-n", NAMESPACE, "--ignore-not-found"]);
    await processes.stop();
    await demand.close();
    await stack.stop();
  }
}
