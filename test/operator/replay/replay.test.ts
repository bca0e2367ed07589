import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import { decide } from "../../../operator/decide/decide.ts";
import { decisionLine } from "../../../operator/replay/line.ts";
import { createLog } from "../../../process/log.ts";
import { busy, type Given, observed, waiting } from "../decide/observed.ts";

const test = anyTest as TestFn<{ directory: string }>;

test.before(async (t) => {
  t.context.directory = await mkdtemp(join(tmpdir(), "escriba-replay-"));
});
test.after.always((t) => rm(t.context.directory, { recursive: true, force: true }));

const escriba = join(import.meta.dirname, "../../../cli/escriba.ts");

function replay(args: string[], input = ""): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [escriba, "operator", "replay", ...args], (failure, out, error) => {
      resolve({ code: failure ? Number(failure.code) : 0, out, error });
    });
    child.stdin?.end(input);
  });
}

/** The lines that the operator's own log writes of these decisions. */
function logged(...given: Given[]): string[] {
  const lines: string[] = [];
  const log = createLog("operator", "info", { write: (line: string) => lines.push(line.trimEnd()) });
  for (const one of given) {
    const observation = observed(one);
    log.info(decisionLine(observation, decide(observation)), "decision");
  }
  return lines;
}

const file = async (directory: string, name: string, lines: string[]) => {
  await writeFile(join(directory, name), `${lines.join("\n")}\n`);
  return join(directory, name);
};

test("a log replays to the same decisions, whatever else is in it", async (t) => {
  const decisions = logged({ demand: waiting([4, 900]) }, { pods: [busy(0)], spec: { replicas: 2 } }, { demand: null });
  const lines = ["not JSON at all", '{"level":30,"msg":"started"}', ...decisions, "null", ""];
  const { code, out, error } = await replay([await file(t.context.directory, "same.log", lines)]);
  t.is(error, "");
  t.deepEqual(out.split("\n"), [
    "line 3: escriba/speech 2026-03-02T12:00:00.000Z same",
    "line 4: escriba/speech 2026-03-02T12:00:00.000Z same",
    "line 5: escriba/speech 2026-03-02T12:00:00.000Z same",
    "3 decisions: 3 same, 0 different, 0 unreadable",
    "",
  ]);
  t.is(code, 0);
});

test("a decision that would be another one now is shown with what differs", async (t) => {
  const [line = ""] = logged({ demand: waiting([4, 900]) });
  const value = JSON.parse(line);
  value.plan.decision.desired = 9;
  value.plan.actions.push({ kind: "undrain", pod: "x", uid: "y" });
  delete value.plan.status.selector;
  const { code, out } = await replay(["-"], JSON.stringify(value));
  t.is(code, 1);
  t.regex(out, /^line 1: .* different$/m);
  t.regex(out, /^ {2}decision\.desired: logged 9, now 3$/m);
  t.regex(out, /^ {2}actions\[4\]: logged {"kind":"undrain","pod":"x","uid":"y"}, now nothing$/m);
  t.regex(out, /^ {2}status\.selector: logged nothing, now "escriba\.dev\/pool=speech"$/m);
  t.is(out.split("\n").filter((text) => text.startsWith("  ")).length, 3);
});

test("a decision that cannot be read says why, and the others are still replayed", async (t) => {
  const [line = ""] = logged({});
  const without = JSON.parse(line);
  delete without.observation.pool.templateHash;
  const newer = { ...JSON.parse(line), version: 2 };
  const { code, out } = await replay(
    ["-"],
    [without, newer, JSON.parse(line)].map((value) => JSON.stringify(value)).join("\n"),
  );
  t.is(code, 2);
  t.regex(out, /^line 1: unreadable$/m);
  t.regex(out, /observation\.pool\.templateHash/);
  t.regex(out, /this version of escriba reads version 1 of decision lines/);
  t.regex(out, /^3 decisions: 1 same, 0 different, 2 unreadable$/m);
});

test("--json prints an object a line", async (t) => {
  const { code, out } = await replay(["-", "--json"], logged({}, { demand: null }).join("\n"));
  t.is(code, 0);
  const objects = out
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));
  t.deepEqual(
    objects.map(({ line, outcome, differences }) => ({ line, outcome, differences })),
    [
      { line: 1, outcome: "same", differences: [] },
      { line: 2, outcome: "same", differences: [] },
    ],
  );
});

test("nothing to replay, no such file and too many files are errors", async (t) => {
  const empty = await replay(["-"], "nothing\n");
  t.is(empty.code, 2);
  t.regex(empty.error, /holds no decisions/);
  const missing = await replay([join(t.context.directory, "missing.log")]);
  t.is(missing.code, 2);
  t.regex(missing.error, /missing\.log cannot be read: no such file/);
  t.is((await replay([])).code, 2);
  t.is((await replay(["a", "b"])).code, 2);
});
