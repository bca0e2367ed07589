import test from "ava";
import { Parts } from "../../bench/operator/parts.ts";
import { report } from "../../bench/operator/report.ts";
import { operator } from "../../bench/operator.ts";

const numbers = (most: number) => Array.from({ length: 100 }, (_, at) => (most * (at + 1)) / 100);

const starts = (most: number) => numbers(most).map((result) => ({ begun: 1, ready: 2, result }));

const DOWNS = {
  ...{ scale_downs: 200, sigterms: 20, activities: 900, activities_restarted: 0, tasks_lost: 0, server_faults: 0 },
  ...{ lost_where_none_left: 0, transcripts_lost: 0, drain_ms_p50: 90, drain_ms_max: 900 },
};
const waits = (ratio: number) => ({
  idle_seconds: 3,
  busy_seconds: 3 * ratio,
  small_tenant_wait_ratio: ratio,
  big_chunks_done: 9,
});

test("what was not measured is null and breaks no promise", (t) => {
  const { figures, table, passed } = report({}, [], { small_runs: null });
  t.true(passed);
  t.is(table, "");
  t.like(figures, { backlog_to_scale_p99_ms: null, idle_writes: null, tasks_lost: null, from_zero_p95_s: null });
});

test("the figures are percentiles and counts", (t) => {
  const { figures, passed } = report(
    {
      scale: numbers(2_000),
      status: numbers(100),
      quiet: { written: [], calls: 7 },
      downs: DOWNS,
      zero: starts(10),
      small: waits(1.1),
      smallWithoutFairness: waits(3),
    },
    [],
    {},
  );
  t.true(passed);
  t.like(figures, {
    backlog_to_scale_p99_ms: 1_980,
    status_p99_ms: 99,
    idle_writes: 0,
    scale_downs: 200,
    activities_restarted: 0,
    tasks_lost: 0,
    from_zero_p95_s: 9.5,
    small_tenant_wait_ratio: 1.1,
    small_tenant_wait_ratio_fairness_off: 3,
  });
});

for (const [what, measured] of [
  ["a late scale", { scale: numbers(4_000) }],
  ["a late status", { status: numbers(300) }],
  ["a write while nothing happened", { quiet: { written: ["PUT /status"], calls: 7 } }],
  ["a step begun again", { downs: { ...DOWNS, activities_restarted: 1 } }],
  ["a lost task", { downs: { ...DOWNS, tasks_lost: 1 } }],
  ["a late first result", { zero: starts(20) }],
  ["a small organization that waits", { small: waits(1.3) }],
] as const)
  test(`the promise is broken by ${what}`, (t) => {
    t.false(report(structuredClone(measured) as Parameters<typeof report>[0], [], {}).passed);
  });

test("a part that failed is named, has no figure, and breaks the promise; the others stand", (t) => {
  const { figures, table, passed } = report({ smallWithoutFairness: waits(3) }, ["small", "zero"], {});
  t.false(passed);
  t.like(figures, {
    small_tenant_wait_ratio: null,
    small_tenant_wait_ratio_fairness_off: 3,
    from_zero_p95_s: null,
    failed: ["small", "zero"],
  });
  t.regex(table, /failed, and without figures: small, zero$/);
});

test("parts run one after the other, and one that fails is said and stops no other", async (t) => {
  const said: string[] = [];
  const parts = new Parts((line) => said.push(line));
  const done: string[] = [];
  await parts.run("first", () => Promise.reject(new Error("no room")));
  await parts.run("second", async () => {
    done.push("second");
  });
  t.deepEqual(done, ["second"]);
  t.deepEqual(parts.failed, ["first"]);
  t.regex(said.join("\n"), /first begins\nfirst failed: Error: no room[\s\S]*second begins\nsecond took 0 s/);
});

test("a part that does not exist, and a count that is none, are said", async (t) => {
  const run = (options: Record<string, string>) => operator.run(options, () => undefined);
  await t.throwsAsync(run({ only: "scale,speed" }), { message: /--only knows downs, .*quiet, and no speed/ });
  await t.throwsAsync(run({ downs: "many" }), { message: /--downs wants a whole number/ });
});
