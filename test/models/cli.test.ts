import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";

const CLI = fileURLToPath(new URL("../../models/cli.ts", import.meta.url));

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test("--help names the models, the options and the settings", async (t) => {
  const { code, stdout } = await run("--help");
  t.is(code, 0);
  for (const word of ["whisper-base", "silero-vad", "temporal-cli", "--dir", "ESCRIBA_MODELS_HUB"])
    t.true(stdout.includes(word), word);
});

test("fetch prints the directory and nothing else on standard output", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "escriba-cli-"));
  t.teardown(() => rm(dir, { recursive: true }));
  const { code, stdout, stderr } = await run("fetch", "silero-vad", "--dir", dir);
  t.is(code, 0, stderr);
  t.is(stdout, `${join(dir, "silero-vad")}\n`);
  t.regex(stderr, /^silero-vad: download, 1 MB$/m);
  const own = await ensure("silero-vad", { dir: defaultModelsDirectory(process.env) });
  t.deepEqual(await readFile(join(dir, "silero-vad", "model.onnx")), await readFile(join(own, "model.onnx")));
});

test("mistakes end with one line and a failing status", async (t) => {
  for (const [args, message] of [
    [["fetch", "whisper-huge"], /^no model is called whisper-huge; known: whisper-base/],
    [["steal"], /^no command steal; see --help/],
    [["fetch", "--nonsense"], /^Unknown option '--nonsense'/],
    [
      ["fetch", "temporal-cli", "--platform", "beos-x64", "--dir", "/nonexistent"],
      /^temporal-cli is not published for beos-x64/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await run(...args);
    t.is(code, 1);
    t.is(stdout, "");
    t.regex(stderr, message);
    t.false(stderr.includes("    at "), "no stack trace");
  }
});
