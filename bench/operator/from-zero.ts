import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { demandRoutes } from "../../api/demand.ts";
import { createRegistry, serveMetrics } from "../../process/metrics.ts";
import { PodProcesses, PROCESS_FATE } from "../../test/cluster/pod-processes.ts";
import { workerTemplate } from "../../test/cluster/pool.ts";
import { DEMAND_TOKEN, DRAIN_TOKEN, eventually, NAMESPACE, type Stage } from "../../test/cluster/stage.ts";
import { startStack } from "../../test/workflows/stack.ts";

const POOL = "from-zero";
const RECORDING = new URL("../../test/fixtures/call-en.ogg", import.meta.url);
/** What the probe says of it when it is uploaded. */
const DURATION_MS = 42_000;

/**
 * Seconds from the acceptance of a short recording to its finished transcript while no speech worker runs: the API's own
 * demand, the operator's decision, the scheduler, a worker of its own process that loads its models from the cache.
 */
export async function fromZero(stage: Stage, runs: number, say: (line: string) => void): Promise<number[]> {
  const stack = await startStack();
  const processes = new PodProcesses(stage.plane, stage.api, {
    namespace: NAMESPACE,
    module: new URL("../../cli/escriba.ts", import.meta.url),
    args: ["worker"],
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
        scaling: { minReplicas: 0, maxReplicas: 1 },
        demand: {
          url: new URL("/internal/demand", demand.url).href,
          tokenSecret: { name: "tokens", key: "demand" },
        },
        template: workerTemplate({ annotations: PROCESS_FATE, env }),
      }),
    );
    const seconds: number[] = [];
    while (seconds.length < runs) {
      await eventually(
        "zero pods",
        () => stage.pods(POOL),
        (pods) => pods.length === 0,
      );
      const begun = performance.now();
      const { final } = await stack.submit(recording, { language: "en", durationMs: DURATION_MS });
      const row = await final();
      if (row?.status !== "completed") throw new Error(`a transcript ended ${row?.status}`);
      seconds.push((performance.now() - begun) / 1_000);
      say(`${seconds.at(-1)?.toFixed(1)} s from zero to a result`);
    }
    return seconds;
  } finally {
    await processes.stop();
    await demand.close();
    await stack.stop();
  }
}
