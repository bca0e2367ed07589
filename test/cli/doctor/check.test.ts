import test from "ava";
import { type Checked, Examination, messageOf, ok, Problem, warning } from "../../../cli/doctor/check.ts";
import { skewFinding } from "../../../cli/doctor/clock-skew.ts";
import { Report } from "../../../cli/doctor/report.ts";

function examination(): { told: Checked[]; examination: Examination } {
  const told: Checked[] = [];
  return { told, examination: new Examination("store", (checked) => told.push(checked)) };
}

test("a check that throws fails with its message, and with what to do where that is known", async (t) => {
  const { told, examination: one } = examination();
  t.is(await one.check("a", 1_000, () => Promise.reject(new Error("first line\nsecond"))), null);
  t.is(await one.check("b", 1_000, () => Promise.reject(new Problem("it is so", "do this"))), null);
  t.is(await one.check("c", 1_000, async () => ok("fine")), true);
  t.is(await one.check("d", 1_000, async () => ({ finding: warning("hm", ["look"]), value: 7 })), 7);
  t.like(told, [
    { area: "store", check: "a", outcome: "failed", said: "first line", remedy: [] },
    { outcome: "failed", said: "it is so", remedy: ["do this"] },
    { outcome: "ok" },
    { outcome: "warning", remedy: ["look"] },
  ]);
});

test("a check that never ends is given up, and told to stop", async (t) => {
  const { told, examination: one } = examination();
  let stopped: AbortSignal | undefined;
  const never = (signal: AbortSignal) => {
    stopped = signal;
    return new Promise<never>(() => undefined);
  };
  t.is(await one.check("silent", 20, never), null);
  t.true(stopped?.aborted);
  t.like(told, [{ outcome: "failed", said: "no answer within 0.02 s" }]);
});

test("of an error of several addresses the first is told", (t) => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  t.is(messageOf(new AggregateError([refused, refused])), "connect ECONNREFUSED 127.0.0.1:1");
  t.is(messageOf(Object.assign(new Error(""), { code: "ETIMEDOUT" })), "ETIMEDOUT");
});

test("clocks that differ are noticed, from some point on as a fault", (t) => {
  t.is(skewFinding(2_000, "it").outcome, "ok");
  t.like(skewFinding(-60_000, "it"), {
    outcome: "warning",
    said: "the clock of it is 60 s behind this process's",
    numbers: { skewSeconds: -60 },
  });
  t.is(skewFinding(901_000, "it", { failsAt: 900 }).outcome, "failed");
});

test("the report has a heading an area, a mark a check, and what to do below it", (t) => {
  const lines: string[] = [];
  const report = new Report((line) => lines.push(line));
  const common = { ms: 1 };
  report.add({ ...common, area: "store", check: "reachable", outcome: "ok", said: "there" });
  report.add({ ...common, area: "store", check: "clock", outcome: "failed", said: "off", remedy: ["chrony"] });
  report.add({ ...common, area: "models", check: "configured", outcome: "skipped", said: "none" });
  report.end();
  t.deepEqual(lines.join("\n").split("\n"), [
    "store",
    "  ✓ reachable      there",
    "  ✗ clock          off",
    "                   → chrony",
    "",
    "models",
    "  – configured     none",
    "",
    "1 fine, 0 to look at, 1 failed.",
  ]);
});
