/**
 * `npm run histories -- [--count N] [--seed N]`: histories of a cluster in memory, from seeds. Stops at the first that
 * goes wrong and prints what happened in it.
 */
import { parseArgs } from "node:util";
import { runHistory } from "./model/history.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    all: { type: "boolean" },
  },
});
const first = Number(values.seed);
const count = Number(values.count);
const from = performance.now();
let [writes, done, failed, virtual] = [0, 0, 0, 0];
for (let seed = first; seed < first + count; seed += 1) {
  const history = await runHistory(seed);
  writes += history.writes;
  done += history.done;
  virtual += history.seconds;
  if (history.violations.length === 0) continue;
  failed += 1;
  process.exitCode = 1;
  if (values.all) {
    console.log(`seed ${seed}: ${history.violations[0]}`);
    continue;
  }
  console.log([...history.log, "", `seed ${seed}: ${history.violations.join("; ")}`].join("\n"));
  break;
}
const seconds = (performance.now() - from) / 1000;
console.log(
  `${count} histories of ${Math.round(virtual / count)} s, ${failed} failed, ${writes} writes, ${done} pieces of work, in ${seconds.toFixed(1)} s`,
);
