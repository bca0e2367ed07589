import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../process/alive.ts";

/**
 * Host and process are in the name, so that what a killed process left can be told from what a living one is writing.
 * The host, because containers that share a directory have the same process numbers.
 */
const NAME = /^escriba-upload-(.+)-(\d+)-[^-]+$/;

/** Of another host nothing is known but the age: no upload takes so long. */
const ABANDONED_MS = 24 * 3_600_000;

/** Where an upload lies while it is received and looked at. */
export function scratchPath(directory: string, id: string): string {
  return join(directory, `escriba-upload-${hostname()}-${process.pid}-${id}`);
}

/** Removes what killed processes left behind; ours too, since a process that is starting has no upload yet. */
export async function sweepScratch(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, host, pid] = NAME.exec(name) ?? [];
    if (host === undefined) continue;
    const path = join(directory, name);
    const left = host === hostname() ? isGone(Number(pid)) : await isAbandoned(path);
    if (left) await rm(path, { force: true });
  }
}

function isGone(pid: number): boolean {
  if (pid === process.pid) return true;
  return !isAlive(pid);
}

async function isAbandoned(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null);
  return info !== null && Date.now() - info.mtimeMs > ABANDONED_MS;
}
