import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { examineModels } from "../../../cli/doctor/models.ts";
import { defaultModelsDirectory, ensure } from "../../../models/ensure.ts";
import { examined, outcomes } from "./examined.ts";

const real = process.env.ESCRIBA_MODELS_DIR || defaultModelsDirectory(process.env);

test("models are there or missing, whole or changed; what no worker needs is looked at only where it is", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "escriba-doctor-models-"));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const examine = (more: Record<string, string> = {}) =>
    examined("models", examineModels, { ESCRIBA_MODELS_DIR: dir, ...more });
  for (const name of ["silero-vad", "campplus"]) await ensure(name, { dir: real });
  await cp(join(real, "silero-vad"), join(dir, "silero-vad"), { recursive: true });
  await symlink(join(real, "campplus"), join(dir, "campplus"));

  const checks = await examine({ ESCRIBA_SPEECH_FAST_MODEL: "moonshine-tiny" });
  const expected = { "whisper-base": "failed", "moonshine-tiny": "failed", "silero-vad": "ok", campplus: "ok" };
  t.deepEqual(outcomes(checks), expected);
  t.deepEqual(checks["whisper-base"]?.remedy, [`escriba models fetch whisper-base --dir ${dir}`]);
  t.deepEqual(Object.keys(await examine({ ESCRIBA_SPEAKER_MODEL: "none" })), [
    "whisper-base",
    "silero-vad",
    "campplus",
  ]);

  // One byte, the size as before.
  const file = join(dir, "silero-vad", "model.onnx");
  const bytes = await readFile(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  await writeFile(file, bytes);
  const { "silero-vad": changed } = await examine();
  t.is(changed?.outcome, "failed");
  t.regex(changed?.said ?? "", /^model\.onnx in .* is not what was written there$/);
  t.regex(changed?.remedy?.[0] ?? "", /^delete /);

  await rm(file);
  t.like((await examine())["silero-vad"], { outcome: "failed" });
});
