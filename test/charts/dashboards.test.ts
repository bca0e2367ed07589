import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { unknownIn } from "./known-names.ts";
import { prometheusPrograms, promtool } from "./rules/promtool.ts";

const directory = join(import.meta.dirname, "../../charts/escriba/dashboards");
const programs = await prometheusPrograms();

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

interface File {
  uid: string;
  title: string;
  templating: { list: { name: string; query: string | { query: string } }[] };
  panels: Panel[];
}

const files = (await readdir(directory)).sort();
const dashboards: File[] = await Promise.all(
  files.map(async (name) => JSON.parse(await readFile(join(directory, name), "utf8"))),
);

/** As Grafana fills it in. */
const filled = (expr: string) => expr.replaceAll("$__rate_interval", "4m").replaceAll(/\$(\w+)/g, "x");
const queries = dashboards.flatMap(({ title, panels }) =>
  panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ where: `${title}: ${panel.title}`, expr }))),
);

test("the four dashboards are there, each with an address of its own", (t) => {
  t.deepEqual(files, ["money.json", "operator.json", "queues.json", "service.json"]);
  t.is(new Set(dashboards.map(({ uid }) => uid)).size, 4);
});

test("every query reads metrics and labels that processes have, in one namespace, by variables that there are", (t) => {
  t.true(queries.length > 60);
  for (const { where, expr } of queries) {
    t.deepEqual(unknownIn(filled(expr)), [], where);
    t.is(expr.split('namespace="$namespace"').length, expr.split("{").length, `${where}: a metric of any namespace`);
  }
  for (const { title, templating, panels } of dashboards) {
    const variables = new Set(["__rate_interval", ...templating.list.map(({ name }) => name)]);
    const used = JSON.stringify(panels).matchAll(/\$\{?(\w+)/g);
    for (const [, name = ""] of used) t.true(variables.has(name), `${title}: $${name}`);
    for (const { query } of templating.list) {
      const text = typeof query === "string" ? query : query.query;
      const [, metric = ""] = /^label_values\((.*), \w+\)$/.exec(text) ?? [];
      if (metric) t.deepEqual(unknownIn(filled(metric)), [], `${title}: ${text}`);
    }
  }
});

test("every panel has words for people, and none lies over another", (t) => {
  for (const { title, panels } of dashboards) {
    t.is(new Set(panels.map(({ id }) => id)).size, panels.length, title);
    const taken = new Set<string>();
    for (const panel of panels) {
      if (panel.type !== "row") t.truthy(panel.description && panel.targets?.length, `${title}: ${panel.title}`);
      const { x, y, w, h } = panel.gridPos;
      t.true(x + w <= 24);
      for (let column = x; column < x + w; column += 1) {
        for (let line = y; line < y + h; line += 1) {
          const place = `${column},${line}`;
          t.false(taken.has(place), `${title}: ${panel.title} lies over another`);
          taken.add(place);
        }
      }
    }
  }
});

(programs ? test : test.skip)("every query is PromQL, as promtool reads it", async (t) => {
  if (!programs) return;
  const work = await mkdtemp(join(tmpdir(), "escriba-dashboards-"));
  t.teardown(() => rm(work, { recursive: true, force: true }));
  const file = join(work, "queries.json"); // JSON is YAML
  const rules = queries.map(({ expr }, at) => ({ record: `query:${at}`, expr: filled(expr) }));
  await writeFile(file, JSON.stringify({ groups: [{ name: "queries", rules }] }));
  t.regex(await promtool(programs, "check", "rules", file), new RegExp(`SUCCESS: ${queries.length} rules found`));
});
