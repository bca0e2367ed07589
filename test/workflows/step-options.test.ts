import { readFile } from "node:fs/promises";
import test from "ava";
import { STEP_OPTIONS } from "../../workflows/step-options.ts";

test("docs/architecture.md states the limits that the workflow uses", async (t) => {
  const page = await readFile(new URL("../../docs/architecture.md", import.meta.url), "utf8");
  const table = page.slice(page.indexOf("### Steps and their limits"));
  const rows = [...table.matchAll(/^\| (\w+) +\| (\S+) +\| (\S+) +\| (\S+) +\|/gm)].filter(
    ([, step]) => step !== "Step",
  );
  const stated = Object.fromEntries(rows.map(([, step, ...limits]) => [step, limits]));
  const used = Object.entries(STEP_OPTIONS).map(([step, options]) => [
    step,
    [
      options.startToCloseTimeout,
      "heartbeatTimeout" in options ? options.heartbeatTimeout : "—",
      "maximumAttempts" in options.retry ? String(options.retry.maximumAttempts) : "unlimited",
    ],
  ]);
  t.deepEqual(stated, Object.fromEntries(used));
});

test("no step gives up because no worker was free", (t) => {
  for (const options of Object.values(STEP_OPTIONS)) {
    t.false("scheduleToStartTimeout" in options || "scheduleToCloseTimeout" in options);
  }
});
