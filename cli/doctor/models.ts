import { CATALOGUE } from "../../models/catalogue.ts";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { changedFiles } from "../../models/manifest.ts";
import { type Examination, failed, messageOf, ok, Problem } from "./check.ts";
import type { Settings } from "./config.ts";

/** What workers of the queues media and speech load. */
function neededBy(settings: Settings): string[] {
  const speaker = settings.ESCRIBA_SPEAKER_MODEL;
  const fast = settings.ESCRIBA_SPEECH_FAST_MODEL;
  return ["whisper-base", "silero-vad", ...(speaker === "none" ? [] : [speaker]), ...(fast ? [fast] : [])];
}

/** The models that workers need, and whichever others are in the cache: whole, of this version, bytes as they were made. */
export async function examineModels(settings: Settings, examination: Examination): Promise<void> {
  const dir = settings.ESCRIBA_MODELS_DIR || defaultModelsDirectory(settings);
  const needed = neededBy(settings);
  for (const name of Object.keys(CATALOGUE)) {
    const there = await ensure(name, { dir, offline: true }).catch((error: unknown) => messageOf(error));
    const directory = there.startsWith(dir) ? there : null;
    if (directory === null && !needed.includes(name)) continue;
    await examination.check(name, 60_000, async () => {
      if (directory === null) throw new Problem(`${there}`, `escriba models fetch ${name} --dir ${dir}`);
      const changed = await changedFiles(directory);
      if (changed.length === 0) return ok(directory);
      return failed(`${changed.join(", ")} in ${directory} is not what was written there`, [
        `delete ${directory}, then escriba models fetch ${name} --dir ${dir}`,
      ]);
    });
  }
}
