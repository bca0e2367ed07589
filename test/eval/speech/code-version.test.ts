import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { codeVersion, reachable } from "../../../eval/speech/run/code-version.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

test("imports and child processes are followed, types and other rooms are not", async (t) => {
  const files = await reachable(ROOT, ["speech/voice-activity/detectors.ts", "workflows/activities/recognise.ts"]);
  t.true(files.includes("speech/voice-activity/detect.ts"), "an import");
  t.true(files.includes("speech/voice-activity/voice-activity-process.ts"), "a child process");
  t.true(files.includes("workflows/activities/identify.ts"));
  t.false(files.some((file) => /^(process|storage)\//.test(file)));
  t.false(files.includes("workflows/metrics.ts"), "only its type is used");
});

test("a change of recognition changes both versions, one of assembly only the other's, one of the API none", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "escriba-version-"));
  t.teardown(() => rm(root, { recursive: true }));
  for (const room of ["speech", "models", "understanding", "workflows", "package.json"]) {
    await cp(join(ROOT, room), join(root, room), { recursive: true });
  }
  const changed = async (file: string) => {
    const path = join(root, file);
    const text = await readFile(path, "utf8").catch(() => "");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${text}\n// changed\n`);
    const version = await codeVersion(root);
    await writeFile(path, text);
    return version;
  };
  const before = await codeVersion(root);
  const recognition = await changed("speech/whisper/greedy.ts");
  t.not(recognition.hearing, before.hearing);
  t.not(recognition.all, before.all);
  for (const process of ["voice-activity/voice-activity-process.ts", "engine/child.ts", "engine/voices-child.ts"]) {
    t.not((await changed(`speech/${process}`)).hearing, before.hearing, process);
  }
  const assembly = await changed("speech/transcript.ts");
  t.is(assembly.hearing, before.hearing);
  t.not(assembly.all, before.all);
  t.deepEqual(await changed("api/app.ts"), before);
});
