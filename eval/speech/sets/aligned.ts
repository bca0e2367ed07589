import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Recording, readRecording } from "../../audio/recordings.ts";
import { writeWav } from "../../audio/wav.ts";
import { pythonPrograms } from "../../python-programs.ts";
import type { Making } from "./build.ts";
import { englishPhones } from "./spanish-phones.ts";
import { RATE } from "./voices/speech.ts";
import { phonemes } from "./voices/synthesis.ts";

/** To be raised when align.py aligns in another way. */
const ALIGNER = 3;

/** The start and end of each word between spaces, in seconds; null where the aligner does not know a word. */
export type Alignment = [start: number, end: number][] | null;

/**
 * When each word of recordings of one language is spoken, as pocketsphinx aligns them. It is a model too, of Gaussian
 * mixtures on 10 ms frames: fair to every contender, but wrong by some tens of milliseconds now and then. It knows
 * English only; Spanish words are given to it in the nearest English sounds.
 */
export async function aligned(recordings: Recording[], making: Making): Promise<Alignment[]> {
  const { cache } = making;
  const recipe = createHash("sha256").update(JSON.stringify(recordings.map(({ id, text }) => [ALIGNER, id, text])));
  const notes = join(cache, "natural", `alignment-${recipe.digest("hex").slice(0, 10)}.json`);
  if (!existsSync(notes)) {
    await mkdir(join(cache, "natural"), { recursive: true });
    await writeFile(`${notes}.part`, await align(recordings, making));
    await rename(`${notes}.part`, notes);
  }
  return JSON.parse(await readFile(notes, "utf8"));
}

async function align(recordings: Recording[], making: Making): Promise<string> {
  const { say } = making;
  const programs = await pythonPrograms(new URL("../../python/aligner.txt", import.meta.url), () =>
    say("making a Python environment for the aligner (once)"),
  );
  const work = await mkdtemp(join(tmpdir(), "escriba-align-"));
  try {
    const requests: { path: string; text: string; phones?: (string | null)[]; before?: Record<number, string> }[] = [];
    const spanish = recordings.some(({ language }) => language === "es")
      ? await phonemes(recordings, making)
      : undefined;
    const numero =
      spanish && (await phonemes([{ language: "es", text: "número" }], making))[0]?.words.map(englishPhones)[0];
    for (const [i, recording] of recordings.entries()) {
      const path = join(work, `${i}.wav`);
      await writeWav(path, RATE, await readRecording(recording));
      const phones = spanish?.[i]?.words.map(englishPhones);
      const before = numero ? beforeDigits(recording.text, numero) : undefined;
      requests.push({ path, text: recording.text, ...(phones && { phones }), ...(before && { before }) });
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

/**
 * The published texts of the Spanish prompts say "marque 3" where the speaker often says "marque número 3". A forced
 * alignment would lay the words around it over one that is not theirs, half a second off.
 */
function beforeDigits(text: string, phones: string): Record<number, string> | undefined {
  const digits = [...text.split(/\s+/).entries()].filter(([, word]) => /^\d+\W*$/.test(word));
  return digits.length > 0 ? Object.fromEntries(digits.map(([place]) => [place, phones])) : undefined;
}
