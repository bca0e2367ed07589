import test from "ava";
import { report } from "../../bench/operator/report.ts";
import { operator } from "../../bench/operator.ts";

const numbers = (most: number) => Array.from({ length: 100 }, (_, at) => (most * (at + 1)) / 100);

const DOWNS = { scale_downs: 200, activities: 900, activities_restarted: 0, tasks_lost: 0, server_faults: 0 };

test("what was not measured is null and breaks no promise", (t) => {
  const { figures, table, passed } = report({}, { small_runs: null });
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
      zero: numbers(10),
      small: { fair: 1.1, stock: 3 },
    },
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
  ["a late first result", { zero: numbers(20) }],
  ["a small organization that waits", { small: { fair: 1.3, stock: 1 } }],
] as const)
  test(`the promise is broken by ${what}`, (t) => {
    t.false(report(structuredClone(measured) as Parameters<typeof report>[0], {}).passed);
  });

test("a part that does not exist, and a count that is none, are said", async (t) => {
  const run = (options: Record<string, string>) => operator.run(options, () => undefined);
  await t.throwsAsync(run({ only: "scale,speed" }), { message: /--only knows scale, .*small, and no speed/ });
  await t.throwsAsync(run({ downs: "many" }), { message: /--downs wants a whole number/ });
});
