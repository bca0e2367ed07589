import { randomUUID } from "node:crypto";
import { constants, copyFile, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../process/alive.ts";

const POLL_MS = 200;
const TOUCH_MS = 5_000;
/** A lock of another machine (shared volume) that nobody has touched this long is nobody's. */
const STALE_MS = 60_000;

/** Tells this process's locks from those of a dead one that had the same pid, as pid 1 of a restarted container has. */
const PROCESS = randomUUID();
const held = new Set<string>();

interface Holder {
  pid: number;
  host: string;
  process: string;
  id: string;
}

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Called every poll with who holds the lock. */
  onWait?: (holder: string) => void;
}

/** Runs `work` while this process alone holds the lock file. The lock of a dead process is taken over. */
export async function withLock<T>(path: string, { signal, onWait }: LockOptions, work: () => Promise<T>): Promise<T> {
  const holder: Holder = { pid: process.pid, host: hostname(), process: PROCESS, id: randomUUID() };
  const own = JSON.stringify(holder);
  while (!(await unlessTaken(writeFile(path, own, { flag: "wx" })))) {
    signal?.throwIfAborted();
    const current = await readHolder(path);
    if (current && (await isStale(current.holder, path))) {
      await takeAway(path, current.text);
      continue;
    }
    // An empty file is a lock that is being written.
    const { pid, host } = current?.holder ?? {};
    onWait?.(pid === undefined ? "another process" : `process ${pid} on ${host}`);
    await sleep(POLL_MS, undefined, { signal });
  }
  held.add(holder.id);
  const touch = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    held.delete(holder.id);
    if ((await readHolder(path))?.text === own) await rm(path, { force: true });
  }
}

async function unlessTaken(creation: Promise<void>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<{ text: string; holder: Holder | undefined } | undefined> {
  try {
    const text = await readFile(path, "utf8");
    try {
      return { text, holder: JSON.parse(text) as Holder };
    } catch {
      return { text, holder: undefined };
    }
  } catch {
    return undefined; // released in the meantime
  }
}

async function isStale(holder: Holder | undefined, path: string): Promise<boolean> {
  if (holder?.host === hostname()) {
    if (holder.process === PROCESS) return !held.has(holder.id);
    return holder.pid === process.pid || !isAlive(holder.pid);
  }
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs > STALE_MS;
}

/** Two waiters may both find the lock stale; only a lock that still says so is removed, another's is put back. */
async function takeAway(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return; // the other waiter was first
  }
  if ((await readFile(aside, "utf8")) !== text) await unlessTaken(copyFile(aside, path, constants.COPYFILE_EXCL));
  await rm(aside, { force: true });
}
