import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadYaml } from "@kubernetes/client-node";
import test from "ava";
import { chartValues } from "../../docs/chart/values.ts";
import { readValuesText } from "../../docs/chart/values-text.ts";

const source = await readFile(join(import.meta.dirname, "../../charts/escriba/values.yaml"), "utf8");

test("every value of the chart has a comment that says what it does", (t) => {
  const sections = readValuesText(source);
  t.deepEqual(
    sections.flatMap(({ silent }) => silent),
    [],
  );
  t.true(sections.flatMap(({ rows }) => rows).length > 200);
  for (const { rows } of sections) {
    for (const { path, text } of rows) t.regex(text, /[.`)]$/, `${path} ends as a sentence`);
  }
});

test("the defaults are what the schema allows, and every value it requires", (t) => {
  const values = loadYaml<object>(source);
  t.deepEqual(chartValues.safeParse(values).error?.issues ?? [], []);
});

test("a value without a comment is found, unless a block above or each key below has one", (t) => {
  const text = `## Title
## More of it.
# Told.
told:
  inner: 1
block:
  # Told too.
  one: 1
  two: 2
empty:
next: 3
`;
  const [section] = readValuesText(text);
  t.is(section?.title, "Title");
  t.is(section?.text, "More of it.");
  t.deepEqual(
    section?.rows.map(({ path }) => path),
    ["told", "block.one"],
  );
  t.deepEqual(section?.silent, ["block.two", "empty", "next"]);
});
