import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonPrograms } from "../../../test/support/python.ts";
import { type Recording, readRecording } from "../../audio/recordings.ts";
import { writeWav } from "../../audio/wav.ts";
import type { Making } from "./build.ts";
import { RATE } from "./voices/speech.ts";

/** The start and end of each word between spaces, in seconds; null where the aligner does not know a word. */
export type Alignment = [start: number, end: number][] | null;

/**
 * When each word of English recordings is spoken, as pocketsphinx aligns them. It is a model too, of Gaussian mixtures
 * on 10 ms frames: fair to every contender, but wrong by some tens of milliseconds now and then.
 */
export async function aligned(recordings: Recording[], { cache, say }: Making): Promise<Alignment[]> {
  const recipe = createHash("sha256").update(JSON.stringify(recordings.map(({ id, text }) => [id, text])));
  const notes = join(cache, "natural", `alignment-${recipe.digest("hex").slice(0, 10)}.json`);
  if (!existsSync(notes)) {
    await mkdir(join(cache, "natural"), { recursive: true });
    await writeFile(`${notes}.part`, await align(recordings, say));
    await rename(`${notes}.part`, notes);
  }
  return JSON.parse(await readFile(notes, "utf8"));
}

async function align(recordings: Recording[], say: Making["say"]): Promise<string> {
  const programs = await pythonPrograms(new URL("../../python/aligner.txt", import.meta.url), () =>
    say("making a Python environment for the aligner (once)"),
  );
  const work = await mkdtemp(join(tmpdir(), "escriba-align-"));
  try {
    const requests: { path: string; text: string }[] = [];
    for (const [i, recording] of recordings.entries()) {
      const path = join(work, `${i}.wav`);
      await writeWav(path, RATE, await readRecording(recording));
      requests.push({ path, text: recording.text });
    }
    say(`aligning ${recordings.length} recordings with pocketsphinx`);
    const script = fileURLToPath(new URL("../../python/align.py", import.meta.url));
    return await new Promise((resolve, reject) => {
      const child = execFile(join(programs, "python"), [script], { maxBuffer: 1 << 26 }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
      child.stdin?.end(JSON.stringify(requests));
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
