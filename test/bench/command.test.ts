import test from "ava";
import type { Benchmark } from "../../bench/benchmark.ts";
import { measure } from "../../bench/command.ts";

const measurement = (passed = true): Benchmark => ({
  summary: "counts",
  help: "  --most N  how far",
  options: { most: { type: "string" } },
  run: async ({ most }, say) => {
    if (most === "none") throw new Error("--most wants a number");
    say("counting");
    return { table: `up to ${most}`, figures: { most }, passed };
  },
});

async function run(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const command = {
    name: "eval",
    noun: "evaluation",
    measurements: { count: measurement(), miss: measurement(false) },
    notes: "",
  };
  const code = await measure(command, args, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out, err };
}

test("people get a table, programs one JSON object as the last line and the table beside it", async (t) => {
  t.deepEqual(await run("count", "--most", "3"), { code: 0, out: ["up to 3"], err: ["eval: counting"] });
  t.deepEqual(await run("count", "--most", "3", "--json"), {
    code: 0,
    out: ['{"most":"3"}'],
    err: ["eval: counting", "up to 3"],
  });
});

test("a missed target and a failure are 1, what was not understood is 2", async (t) => {
  t.is((await run("miss")).code, 1);
  const failed = await run("count", "--most", "none");
  t.deepEqual([failed.code, failed.err], [1, ["eval: --most wants a number"]]);
  const unknown = await run("toString");
  t.deepEqual([unknown.code, unknown.err], [2, ["eval: there is no evaluation toString; there are count, miss"]]);
  t.is((await run("count", "--least", "1")).code, 2);
});

test("help lists the measurements, or one's options", async (t) => {
  const all = await run("--help");
  t.is(all.code, 0);
  t.regex(all.out.join("\n"), /npm run eval -- NAME.*count {2}counts\n {2}miss {3}counts.*name of an evaluation/s);
  t.is((await run()).code, 2);
  t.deepEqual(await run("count", "--help"), { code: 0, out: ["counts\n\n  --most N  how far"], err: [] });
});
