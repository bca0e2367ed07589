import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { checkRules, conformance, readRules, summarize } from "../../docs/conformance.ts";

test("every rule of the specification has a test that exists, or names the part that will bring one", (t) => {
  const found = conformance();
  t.deepEqual(found.faults, []);
  const { rules, proven, later } = summarize(found);
  t.true(rules > 350);
  t.is(proven + Object.values(later).reduce((sum, count) => sum + count, 0), rules);
});

const SOURCE = `
test("a plain title, with a \\"quote\\"", (t) => {});
test.serial(
  "on a line of its own", (t) => {});
for (const [what, code] of [["an old name", "old_code"]])
  test(\`400 \${code}: \${what}\`, (t) => {});
`;

function faultsOf(...rows: string[]): string[] {
  const rules = readRules(rows.map((row) => `| ${row} |`).join("\n"));
  return checkRules(rules, (file) => (file === "a.test.ts" ? SOURCE : null)).faults;
}

test("a proof is a title as it is printed, or a template with all its cases", (t) => {
  t.deepEqual(
    faultsOf(
      '1-1 | x | a.test.ts › a plain title, with a "quote"',
      "1-2 | x | a.test.ts › on a line of its own<br>a.test.ts › 400 old_code: an old name",
      `1-3 | x | a.test.ts › 400 \${code}: \${what}`,
      "D1-4 | x | later: roles",
    ),
    [],
  );
});

test("a rule without a test, and a test, a case or a file that is gone, are faults; so is a number used twice", (t) => {
  t.deepEqual(faultsOf("1-1 | x | "), ["1-1: no test"]);
  t.deepEqual(faultsOf("1-1 | x | b.test.ts › y"), ["1-1: test/b.test.ts does not exist"]);
  t.deepEqual(faultsOf("1-1 | x | a.test.ts › y"), ["1-1: test/a.test.ts has no test “y”"]);
  t.deepEqual(faultsOf("1-1 | x | a.test.ts › 400 old_code: a new name"), [
    "1-1: test/a.test.ts has no test “400 old_code: a new name”",
  ]);
  t.deepEqual(faultsOf("1-1 | x | later: a", "1-1 | x | later: a"), ["1-1: stands there twice"]);
});

test("npm run conformance -- --json ends with one line for programs", async (t) => {
  const script = join(import.meta.dirname, "../../docs/conformance.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--json"]);
  t.deepEqual(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""), summarize(conformance()));
});
