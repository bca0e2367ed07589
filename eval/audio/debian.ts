import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "../../models/lock.ts";

const run = promisify(execFile);

/** What is said when they cannot be fetched. */
const SPEECH =
  "the speech to measure with comes from Debian packages and could not be fetched; where there is no Debian or " +
  "Ubuntu, give the benchmarks asr and memory your own speech with --audio and --text.";

/**
 * Fetches Debian packages into `cache` and unpacks each into a directory of its own, once; nothing is installed and no
 * root is needed. Answers their directories in order. Throws `otherwise` where apt is not at hand.
 */
export async function debianPackages(cache: string, names: string[], otherwise = SPEECH): Promise<string[]> {
  const directory = join(cache, "debian");
  const missing = () => names.filter((name) => !existsSync(join(directory, name)));
  if (missing().length > 0) {
    await mkdir(directory, { recursive: true });
    await withLock(join(directory, ".lock"), {}, async () => {
      const wanted = missing();
      if (wanted.length > 0) await fetch(directory, wanted, otherwise);
    });
  }
  return names.map((name) => join(directory, name));
}

/** A machine that never ran `apt-get update` has no lists of packages: then they are fetched to a place of our own. */
async function download(names: string[], work: string): Promise<void> {
  try {
    await run("apt-get", ["download", ...names], { cwd: work });
  } catch {
    const lists = join(work, "lists");
    await mkdir(join(lists, "partial"), { recursive: true });
    const own = ["-o", `Dir::State::Lists=${lists}`, "-o", `Dir::Cache=${work}`];
    await run("apt-get", [...own, "update"], { cwd: work });
    await run("apt-get", [...own, "download", ...names], { cwd: work });
  }
}

async function fetch(directory: string, names: string[], otherwise: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "escriba-debian-"));
  try {
    await download(names, work);
    const archives = await readdir(work);
    for (const name of names) {
      const archive = archives.find((file) => file.startsWith(`${name}_`));
      if (!archive) throw new Error(`apt-get left no archive of ${name}`);
      const unpacked = join(directory, `.${name}`);
      await rm(unpacked, { recursive: true, force: true });
      await run("dpkg", ["-x", join(work, archive), unpacked]);
      await rename(unpacked, join(directory, name));
    }
  } catch (error) {
    throw new Error(`${otherwise}\n(${error instanceof Error ? error.message.trim() : error})`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
