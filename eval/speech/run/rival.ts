import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { type Contender, startContender } from "../../../bench/contender.ts";
import { prepareRivals } from "../../../bench/rivals.ts";

/** faster-whisper's two ways, both with its voice activity detection and a beam of 1, as ours: greedy. */
export const RIVAL_SETTINGS = {
  batched: { batch_size: 8, beam_size: 1 },
  sequential: { beam_size: 1 },
} as const;
export type RivalSetting = keyof typeof RIVAL_SETTINGS;

/** faster-whisper's answers, each kept. It is told no language, as we are not. */
export interface Rival {
  known(audio: string, setting: RivalSetting): Promise<string | null>;
  text(audio: string, setting: RivalSetting): Promise<string>;
  close(): Promise<void>;
}

const RECIPE = ["faster-whisper.txt", "faster_whisper_contender.py", "weights.txt", "unpack_weights.py"];

/** @param weights where its weights and our recordings are kept for benches too. */
export async function openRival(
  directory: string,
  weights: string,
  threads: number,
  say: (line: string) => void,
): Promise<Rival> {
  const hash = createHash("sha256");
  for (const file of RECIPE) hash.update(await readFile(new URL(`../../../bench/python/${file}`, import.meta.url)));
  const recipe = hash.digest("hex");
  let started: Promise<Contender> | undefined;
  const start = async () => {
    const { python, ct2 } = await prepareRivals(weights, say);
    const script = fileURLToPath(new URL("../../../bench/python/faster_whisper_contender.py", import.meta.url));
    return startContender("faster-whisper", python, [script, ct2, String(threads)]);
  };
  const keptAt = async (audio: string, setting: RivalSetting) => {
    const content = createHash("sha256").update(`${recipe}${JSON.stringify(RIVAL_SETTINGS[setting])}`);
    await pipeline(createReadStream(audio), content, { end: false });
    return join(directory, `${content.digest("hex").slice(0, 32)}.json`);
  };
  const readKept = async (path: string): Promise<string | null> => {
    const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    return kept === null ? null : (JSON.parse(kept) as { text: string }).text;
  };
  return {
    known: async (audio, setting) => readKept(await keptAt(audio, setting)),
    text: async (audio, setting) => {
      const path = await keptAt(audio, setting);
      const kept = await readKept(path);
      if (kept !== null) return kept;
      started ??= start();
      const answer = await (await started).ask({ file: audio, language: "", ...RIVAL_SETTINGS[setting] });
      await mkdir(directory, { recursive: true });
      await writeFile(`${path}.${process.pid}`, JSON.stringify({ text: answer.text, language: answer.language }));
      await rename(`${path}.${process.pid}`, path);
      return answer.text;
    },
    close: async () => {
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}
