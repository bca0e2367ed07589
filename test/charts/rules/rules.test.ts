import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadYaml } from "@kubernetes/client-node";
import test from "ava";
import { unknownIn } from "../known-names.ts";
import { apiCases } from "./api-cases.ts";
import type { AlertCase } from "./case.ts";
import { moneyCases } from "./money-cases.ts";
import { operatorCases } from "./operator-cases.ts";
import { prometheusPrograms, promtool } from "./promtool.ts";
import { queueCases } from "./queue-cases.ts";
import { workCases } from "./work-cases.ts";

const root = join(import.meta.dirname, "../../..");
const directory = join(root, "charts/escriba/rules");
const runbooks = join(root, "docs/runbooks");
const files = (await readdir(directory)).sort().map((name) => join(directory, name));
const cases = [...apiCases, ...queueCases, ...workCases, ...moneyCases, ...operatorCases];
const programs = await prometheusPrograms();
const checked = programs ? test : test.skip;

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}

async function alerts(): Promise<Rule[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.flatMap((text) => loadYaml<{ groups: { rules: Rule[] }[] }>(text).groups.flatMap(({ rules }) => rules));
}

checked("promtool finds no fault in the rules", async (t) => {
  if (programs) t.regex(await promtool(programs, "check", "rules", ...files), /SUCCESS/);
});

checked("each alert fires when it should, with its labels, and keeps quiet when it should", async (t) => {
  if (!programs) return;
  const work = await mkdtemp(join(tmpdir(), "escriba-rules-"));
  t.teardown(() => rm(work, { recursive: true, force: true }));
  const file = join(work, "tests.json"); // JSON is YAML
  const tests = cases.flatMap((one) => [testOf(one, one.fires, true), testOf(one, one.quiet, false)]);
  await writeFile(file, JSON.stringify({ rule_files: files, evaluation_interval: "1m", tests }));
  t.regex(await promtool(programs, "test", "rules", file), /SUCCESS/);
});

/** ALERTS is the series that Prometheus itself writes for what fires. */
function testOf({ alert, severity, labels, at }: AlertCase, series: Record<string, string>, fires: boolean) {
  const text = (all: Record<string, string>) =>
    Object.entries(all)
      .map(([name, value]) => `${name}="${value}"`)
      .join(", ");
  const firing = { alertname: alert, alertstate: "firing" };
  return {
    name: `${alert} ${fires ? "fires" : "keeps quiet"}`,
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `ALERTS{${text(firing)}}`,
        eval_time: `${at}m`,
        exp_samples: fires ? [{ labels: `ALERTS{${text({ ...firing, severity, ...labels })}}`, value: 1 }] : [],
      },
    ],
  };
}

test("each alert has its test, its severity, and words for people", async (t) => {
  const all = await alerts();
  const named = all.map(({ alert }) => alert);
  t.deepEqual([...new Set(named)], named, "a name twice");
  t.deepEqual(named.toSorted(), [...new Set(cases.map(({ alert }) => alert))].toSorted());
  for (const { alert, labels, annotations } of all) {
    t.true(["critical", "warning", "info"].includes(labels.severity), alert);
    t.deepEqual(Object.keys(annotations).sort(), ["description", "runbook_url", "summary"], alert);
    t.false(/\{\{/.test(annotations.summary ?? ""), `${alert}: a summary is the same for every case`);
  }
});

test("every rule reads metrics and labels that processes have", async (t) => {
  for (const { alert, expr } of await alerts()) t.deepEqual(unknownIn(expr), [], alert);
});

test("each alert leads to a page that says what it means, how to look and what to do", async (t) => {
  const named = (await alerts()).map(({ alert, annotations }) => ({ alert, url: annotations.runbook_url }));
  for (const { alert, url } of named) {
    t.is(url, `https://docs.escriba.dev/runbooks/${alert}`);
    const page = await readFile(join(runbooks, `${alert}.md`), "utf8").catch(() => "");
    t.deepEqual(
      [...page.matchAll(/^#+ .*$/gm)].map(([heading]) => heading),
      [`# ${alert}`, "## What it means", "## How to look", "## What to do"],
      alert,
    );
  }
  const index = await readFile(join(runbooks, "README.md"), "utf8");
  for (const { alert, labels, annotations } of await alerts()) {
    t.true(index.includes(`| [${alert}](${alert}.md) | ${labels.severity} | ${annotations.summary} |`), alert);
  }
  const pages = (await readdir(runbooks)).filter((name) => name !== "README.md");
  t.deepEqual(pages.sort(), named.map(({ alert }) => `${alert}.md`).sort(), "no page without an alert");
});
