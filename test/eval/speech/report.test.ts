import test from "ava";
import { figure, hourly, proportion } from "../../../eval/speech/figures/figure.ts";
import type { Row } from "../../../eval/speech/figures/rows.ts";
import { report, verdict } from "../../../eval/speech/report.ts";

const row = (value: number | null, target?: Row["target"], changes: Partial<Row> = {}): Row => ({
  set: "en",
  name: "wer",
  figure: figure(value, { low: 1, high: 3 }, 100, "words"),
  unit: "%",
  ...(target && { target }),
  ...changes,
});

test("a target is met, missed, or not measured", (t) => {
  t.is(verdict(row(2, { most: 2 })), true);
  t.is(verdict(row(2.001, { most: 2 })), false);
  t.is(verdict(row(97, { least: 98 })), false);
  t.is(verdict(row(null, { least: 98 })), null);
  t.is(verdict(row(5)), null);
});

test("figures by set, each with what it stands on", (t) => {
  const rows = [
    row(2, { most: 3 }),
    row(97, { least: 98 }, { set: "all", name: "role_precision" }),
    row(null, { most: 1 }, { set: "es", note: "batched" }),
  ];
  const { figures, passed, table } = report(rows, { evaluation: "speech" }, false);
  t.deepEqual(figures, {
    evaluation: "speech",
    sets: { en: { wer: 2 }, es: { wer: null } },
    role_precision: 97,
    missed: ["role_precision"],
    not_measured: ["es.wer"],
    evidence: {
      "en.wer": { n: 100, of: "words", unit: "%", low: 1, high: 3 },
      role_precision: { n: 100, of: "words", unit: "%", low: 1, high: 3 },
      "es.wer": { n: 100, of: "words", unit: "%", note: "batched" },
    },
  });
  t.false(passed);
  t.regex(table, /en +wer +2\.00 % +1\.00 to 3\.00 +100 words +≤ 3 +met/);
  t.regex(table, /all +role_precision .*≥ 98 +MISSED/);
  t.regex(table, /es +wer \(batched\) +— +100 words +≤ 1 +not measured/);
});

test("of a whole evaluation nothing that is promised may be left unmeasured", (t) => {
  const rows = [row(2, { most: 3 }), row(null, { most: 1 })];
  t.true(report(rows, {}, false).passed);
  t.false(report(rows, {}, true).passed);
});

test("proportions are percent, events are by the hour, and nothing measured is null", (t) => {
  const share = proportion({ hits: 98, n: 100 }, "calls");
  t.is(share.value, 98);
  t.is(Math.round(share.interval?.low ?? 0), 93);
  t.deepEqual(proportion({ hits: 0, n: 0 }, "calls"), { value: null, interval: null, n: 0, of: "calls" });
  t.is(hourly(3, 1.5).value, 2);
  t.is(hourly(0, 3).interval?.low, 0);
  t.is(hourly(0, 0).value, null);
});
