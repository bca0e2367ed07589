import { CONTROL_PLANE, clusterProgram } from "../../test/cluster/programs.ts";
import { eventually, Stage } from "../../test/cluster/stage.ts";
import { fromZero } from "./from-zero.ts";
import { backlogToScale, changeToStatus, PoolWatch } from "./latency.ts";
import type { Parts } from "./parts.ts";
import { quietMinutes } from "./quiet.ts";
import type { Measured } from "./report.ts";

const POOLS = Array.from({ length: 10 }, (_, at) => `pool-${at}`);

type Say = (line: string) => void;
type Work = (stage: Stage, runs: number, say: Say) => Promise<Partial<Measured>>;

/** Each with an operator of its own; in the order of their run. */
const WORK = {
  zero: async (stage, runs, say) => ({ zero: await withOperator(stage, () => fromZero(stage, runs, say)) }),
  scale: async (stage, runs, say) => ({
    scale: await watched(stage, (watch) => backlogToScale(stage, watch, POOLS, runs, say)),
  }),
  status: async (stage, runs, say) => ({
    status: await watched(stage, (watch) => changeToStatus(stage, watch, POOLS, runs, say)),
  }),
  quiet: async (stage, runs, say) => {
    await withOperator(stage, () => openPools(stage));
    return { quiet: await quietMinutes(stage, POOLS, runs, say) };
  },
} satisfies Record<string, Work>;

export type ControlPlanePart = keyof typeof WORK;

/** The parts that need an API server. `wanted` says how often each is done, if at all; `take` is told each one's figures. */
export async function onControlPlane(
  wanted: (part: ControlPlanePart) => number | undefined,
  { parts, take, say }: { parts: Parts; take: (figures: Partial<Measured>) => void; say: Say },
): Promise<void> {
  const asked = Object.entries(WORK).flatMap(([name, work]) => {
    const runs = wanted(name as ControlPlanePart);
    return runs ? [{ name, runs, work: work as Work }] : [];
  });
  if (asked.length === 0) return;
  const stage = await parts.run("a control plane", () => {
    const missing = CONTROL_PLANE.filter((program) => clusterProgram(program) === null);
    if (missing.length > 0) throw new Error(`${missing.join(", ")} missing; run \`npm run cluster:build\``);
    return Stage.open();
  });
  if (!stage) {
    parts.failed.push(...asked.map(({ name }) => name));
    return;
  }
  for (const { name, runs, work } of asked) {
    const figures = await parts.run(name, () => work(stage, runs, say));
    if (figures) take(figures);
  }
  await stage.stop().catch((error: Error) => say(`the control plane did not end well: ${error.message}`));
}

async function withOperator<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  const operator = await stage.operator();
  try {
    return await work();
  } finally {
    await operator.stop();
  }
}

/** With ten pools, each of which has had its first status. */
function watched<T>(stage: Stage, work: (watch: PoolWatch) => Promise<T>): Promise<T> {
  return withOperator(stage, async () => {
    await openPools(stage);
    const watch = new PoolWatch(stage);
    watch.start();
    try {
      return await work(watch);
    } finally {
      await watch.stop();
    }
  });
}

async function openPools(stage: Stage): Promise<void> {
  for (const name of POOLS) await stage.apply(stage.manifest(name));
  for (const name of POOLS) {
    await eventually(
      "a first status",
      () => stage.pool(name),
      ({ status }) => status.decision !== undefined,
    );
  }
}
