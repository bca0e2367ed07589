import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** The process id is in the name, so that what a killed process left can be told from what a living one is writing. */
const NAME = /^escriba-upload-(\d+)-/;

/** Where an upload lies while it is received and looked at. */
export function scratchPath(directory: string, id: string): string {
  return join(directory, `escriba-upload-${process.pid}-${id}`);
}

/** Removes what killed processes left behind; ours too, since a process that is starting has no upload yet. */
export async function sweepScratch(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) await rm(join(directory, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
