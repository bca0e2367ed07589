import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test from "ava";

const ESCRIBA = join(import.meta.dirname, "../../../cli/escriba.ts");

/** The command as a person runs it, without any setting of this machine's. */
function escriba(args: string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
    const child = execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", ESCRIBA, "doctor", ...args],
      { env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test("exit code and output say whether all is well, for people and for programs", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-doctor-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const store = { ESCRIBA_OBJECT_STORE: pathToFileURL(directory).href };
  const well = await escriba(["store"], store);
  t.is(well.code, 0, well.stderr);
  t.regex(well.stdout, /^store\n {2}✓ reachable {6}file:\/\/\//);
  t.regex(well.stdout, /\n\n6 fine, 0 to look at, 0 failed\.\n$/);

  const json = await escriba(["store", "upstream", "--json"], {
    ...store,
    ESCRIBA_UPSTREAMS: JSON.stringify({ "service-llm-9": { url: "http://127.0.0.1:2/v1", model: "m" } }),
  });
  t.is(json.code, 1);
  const { ok, checks } = JSON.parse(json.stdout);
  t.false(ok);
  t.is(checks.length, 7);
  t.like(checks[6], { area: "upstream", check: "configured", outcome: "failed" });

  // Nothing to look at is a fault only where somebody asked for just that.
  t.is((await escriba(["postgres"])).code, 1);
});

test("an area, an option or a number that is none is refused with the usage", async (t) => {
  for (const args of [["disk"], ["--loud"], ["postgres", "--connections", "many"]]) {
    const { code, stderr } = await escriba(args);
    t.is(code, 2);
    t.regex(stderr, /Usage: escriba doctor \[temporal \| postgres/);
  }
  const { code, stderr } = await escriba([], { ESCRIBA_UPSTREAMS: "not json" });
  t.is(code, 2);
  t.regex(stderr, /ESCRIBA_UPSTREAMS: must be JSON/);
});
