/**
 * `npm run histories -- [--count N] [--seed N] [--jobs N] [--all]`: histories of a cluster in memory, from seeds, in as
 * many processes as there are cores. Stops at the first that goes wrong and prints what happened in it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { History } from "./model/history.ts";

/** So many are a line of progress. */
const PROGRESS = 1_000;
/** A history is made of short-lived objects: on a busy machine a larger nursery saved a quarter of the time. */
const NODE_FLAGS = ["--max-semi-space-size=64", "--disable-warning=ExperimentalWarning"];

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: String(availableParallelism()) },
    all: { type: "boolean" },
  },
});
const [first, count, jobs] = [Number(values.seed), Number(values.count), Number(values.jobs)];
const sum = { histories: 0, failed: 0, writes: 0, done: 0, seconds: 0 };
const from = performance.now();
const processes = Array.from({ length: jobs }, (_, at) =>
  fork(
    new URL("./model/history-process.ts", import.meta.url),
    [first + at, first + count, jobs].map((number) => String(number)),
    { execArgv: NODE_FLAGS },
  ),
);
await Promise.all(processes.map(follow));
const took = ((performance.now() - from) / 1000).toFixed(1);
console.log(
  `${sum.histories} histories of ${Math.round(sum.seconds / sum.histories)} s, ${sum.failed} failed, ${sum.writes} writes, ${sum.done} pieces of work, in ${took} s`,
);

async function follow(child: ChildProcess): Promise<void> {
  child.on("message", (history: History) => take(history));
  const [code, signal] = await once(child, "exit");
  if (code !== 0 && signal === null) process.exitCode = 1; // it has said why
}

function take({ seed, violations, log, writes, done, seconds }: History): void {
  if (sum.failed > 0 && !values.all) return; // of another process, a moment after
  sum.histories += 1;
  sum.writes += writes;
  sum.done += done;
  sum.seconds += seconds;
  if (sum.histories % PROGRESS === 0) console.error(`${sum.histories} of ${count}`);
  if (violations.length === 0) return;
  sum.failed += 1;
  process.exitCode = 1;
  if (values.all) console.log(`seed ${seed}: ${violations[0]}`);
  else {
    console.log([...log, "", `seed ${seed}: ${violations.join("; ")}`].join("\n"));
    for (const child of processes) child.kill();
  }
}
