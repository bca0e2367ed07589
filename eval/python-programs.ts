import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withLock } from "../models/lock.ts";
import { userCache } from "../process/user-cache.ts";

/**
 * The directory of the programs (`python`, and what the packages install) of a virtual environment that holds exactly a
 * pinned requirements file. Made once under the user's cache, named after the file's content, so that another pin makes
 * another one; several test processes may ask at the same time. `making` is told when it takes longer.
 */
export async function pythonPrograms(requirements: URL, making: () => void = () => undefined): Promise<string> {
  const file = fileURLToPath(requirements);
  const digest = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  const cache = userCache(process.env);
  const home = join(cache, `python-${parse(file).name}-${digest.slice(0, 12)}`);
  const programs = join(home, "bin");
  // An environment holds its own path and cannot be moved into place, so a mark says that it is whole.
  const mark = join(home, ".complete");
  await mkdir(cache, { recursive: true });
  await withLock(`${home}.lock`, {}, async () => {
    if (existsSync(mark)) return;
    making();
    await rm(home, { recursive: true, force: true });
    const run = promisify(execFile);
    await run("python3", ["-m", "venv", home]);
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", file];
    await run(join(programs, "python"), install, { maxBuffer: 1 << 26 });
    await writeFile(mark, "");
  });
  return programs;
}
