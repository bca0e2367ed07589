import test from "ava";
import { runHistory } from "./model/history.ts";

/** More, and others: `npm run histories`. */
const HISTORIES = 200;

test("whatever happens to a cluster, its pool becomes what it should be, and no pod with work is deleted", async (t) => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const { violations, log } = await runHistory(seed);
    if (violations.length > 0) t.log(log.join("\n"));
    t.deepEqual(violations, [], `seed ${seed}`);
  }
});
