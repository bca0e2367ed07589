import { setTimeout as sleep } from "node:timers/promises";
import { FaultProxy } from "../test/cluster/fault-proxy.ts";
import { CONTROL_PLANE, clusterProgram } from "../test/cluster/programs.ts";
import { eventually, Stage } from "../test/cluster/stage.ts";
import { type Benchmark, wholeNumber } from "./benchmark.ts";
import { fromZero } from "./operator/from-zero.ts";
import { backlogToScale, changeToStatus, PoolWatch } from "./operator/latency.ts";
import { type Measured, report } from "./operator/report.ts";
import { measureScaleDowns } from "./operator/scale-downs.ts";
import { measureSmallTenant } from "./operator/small-tenant.ts";

const PARTS = ["scale", "status", "quiet", "downs", "zero", "small"] as const;
type Part = (typeof PARTS)[number];

const POOLS = Array.from({ length: 10 }, (_, at) => `pool-${at}`);
/** What still follows the last change: a scale-down's window, an Event. */
const SETTLE_MS = 15_000;

export const operator: Benchmark = {
  summary: "the operator on a real control plane: how soon it acts, what it writes, what becomes of the work",
  help: `  --only PARTS   of ${PARTS.join(", ")}, separated by commas (all)
  --scale N      backlogs that become a scale (100)
  --status N     changes of one of ${POOLS.length} pools until its status (100)
  --quiet N      minutes in which nothing happens and nothing may be written (10)
  --downs N      workers drained at random while recordings are recognised (200)
  --zero N       times from no speech worker to a transcript (20)
  --small N      recordings of a minute, on an idle system and beside 32 of ten hours (10)

All parts but downs and small need the programs that \`npm run cluster:build\` makes. What a part that was left out would say is null.`,
  options: Object.fromEntries(["only", ...PARTS].map((name) => [name, { type: "string" as const }])),
  run: async (options, say) => {
    const only = options.only?.split(",") ?? PARTS;
    const unknown = only.find((part) => !(PARTS as readonly string[]).includes(part));
    if (unknown !== undefined) throw new Error(`--only knows ${PARTS.join(", ")}, and no ${unknown}`);
    const defaults: Record<Part, number> = { scale: 100, status: 100, quiet: 10, downs: 200, zero: 20, small: 10 };
    const runs = Object.fromEntries(PARTS.map((part) => [part, wholeNumber(options, part, defaults[part])]));
    const wanted = (part: Part) => (only.includes(part) ? runs[part] : undefined);

    const measured: Measured = {};
    const small = wanted("small");
    if (small) {
      const ratio = async (fairness: boolean) =>
        (await measureSmallTenant({ fairness, files: small, say })).small_tenant_wait_ratio;
      measured.small = { fair: await ratio(true), stock: await ratio(false) };
    }
    const downs = wanted("downs");
    if (downs) {
      const sigterms = Math.ceil(downs / 10);
      measured.downs = await measureScaleDowns({ scaleDowns: downs, sigterms, seed: 1, say });
    }
    if (PARTS.some((part) => part !== "small" && part !== "downs" && wanted(part))) {
      const missing = CONTROL_PLANE.filter((program) => clusterProgram(program) === null);
      if (missing.length > 0) throw new Error(`${missing.join(", ")} missing; run \`npm run cluster:build\``);
      say("starting a control plane");
      const stage = await Stage.open();
      try {
        Object.assign(measured, await onStage(stage, wanted, say));
      } finally {
        await stage.stop();
      }
    }
    const asked = Object.fromEntries(PARTS.map((part) => [`${part}_runs`, wanted(part) ?? null]));
    return report(measured, asked);
  },
};

async function onStage(
  stage: Stage,
  wanted: (part: Part) => number | undefined,
  say: (line: string) => void,
): Promise<Measured> {
  const measured: Measured = {};
  const first = await stage.operator();
  for (const name of POOLS) await stage.apply(stage.manifest(name));
  for (const name of POOLS) {
    await eventually(
      "a first status",
      () => stage.pool(name),
      ({ status }) => status.decision !== undefined,
    );
  }
  const watch = new PoolWatch(stage);
  watch.start();
  const [scale, status] = [wanted("scale"), wanted("status")];
  try {
    if (scale) {
      say(`${scale} backlogs`);
      measured.scale = await backlogToScale(stage, watch, POOLS, scale);
    }
    if (status) {
      say(`${status} changes`);
      measured.status = await changeToStatus(stage, watch, POOLS, status);
    }
  } finally {
    await watch.stop();
  }

  const quiet = wanted("quiet");
  if (quiet) {
    await first.stop();
    say(`${quiet} quiet minutes`);
    measured.quiet = await quietMinutes(stage, quiet);
    await stage.operator();
  }
  const zero = wanted("zero");
  if (zero) measured.zero = await fromZero(stage, zero, say);
  return measured;
}

/** Ten pools with a pod at work each, behind a proxy that spoils nothing and counts: not what the operator says itself. */
async function quietMinutes(stage: Stage, minutes: number): Promise<NonNullable<Measured["quiet"]>> {
  const proxy = new FaultProxy(stage.plane);
  await proxy.start();
  const operator = await stage.operator({}, proxy.url);
  try {
    for (const name of POOLS) stage.demand.backlog(name, 1, name);
    for (const name of POOLS) {
      await eventually(
        "a pod",
        () => stage.pool(name),
        ({ status }) => status.readyReplicas === 1,
      );
    }
    await sleep(SETTLE_MS);
    const before = proxy.calls.length;
    await sleep(minutes * 60_000);
    const calls = proxy.calls.slice(before);
    const writes = calls.filter(({ method, resource }) => method !== "GET" && resource !== "leases");
    return { written: writes.map(({ method, path }) => `${method} ${path}`), calls: calls.length };
  } finally {
    for (const name of POOLS) stage.demand.backlog(name, 0, name);
    await operator.stop();
    await proxy.stop();
  }
}
