import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";

const ESCRIBA = new URL("../../cli/escriba.ts", import.meta.url);

test("models wait says what is missing, and ends when another process has put it there", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "escriba-wait-"));
  t.teardown(() => rm(dir, { recursive: true }));
  const model = await ensure("silero-vad", { dir: defaultModelsDirectory(process.env) });
  const child = fork(ESCRIBA, ["models", "wait", "silero-vad", "--dir", dir], { silent: true });
  t.teardown(() => child.kill());
  const [said] = await once(child.stderr as NodeJS.ReadableStream, "data");
  t.regex(String(said), /silero-vad is not in/);
  t.is(child.exitCode, null);
  const ended = once(child, "exit");
  await cp(model, join(dir, ".new"), { recursive: true });
  await rename(join(dir, ".new"), join(dir, "silero-vad"));
  t.deepEqual(await ended, [0, null]);
});

for (const [args, message] of [
  [[], /name the models/],
  [["whisper-huge"], /no model is called whisper-huge/],
] as const) {
  test(`models wait ${args.join(" ")} is a mistake that is said at once`, async (t) => {
    const child = fork(ESCRIBA, ["models", "wait", ...args], { silent: true });
    const [said] = await once(child.stderr as NodeJS.ReadableStream, "data");
    t.regex(String(said), message);
    t.deepEqual(await once(child, "exit"), [2, null]);
  });
}
