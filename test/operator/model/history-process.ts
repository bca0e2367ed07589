import { runHistory } from "./history.ts";

/** A process that runs every nth history from a seed on, up to another, and tells of each: `FIRST END N`. */
const [first = 0, end = 0, step = 1] = process.argv.slice(2).map(Number);
for (let seed = first; seed < end; seed += step) {
  const { log, ...history } = await runHistory(seed);
  process.send?.({ ...history, log: history.violations.length > 0 ? log : [] });
}
process.disconnect?.();
