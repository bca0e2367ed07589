import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

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
}

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Called every poll with who holds the lock. */
  onWait?: (holder: string) => void;
}

/** Runs `work` while this process alone holds the lock file. The lock of a dead process is taken over. */
export async function withLock<T>(path: string, { signal, onWait }: LockOptions, work: () => Promise<T>): Promise<T> {
  const own = `${path}.${randomUUID()}`;
  const holder: Holder = { pid: process.pid, host: hostname(), process: PROCESS };
  await writeFile(own, JSON.stringify(holder));
  try {
    // A hard link is made whole or not at all: nobody ever reads a half-written lock.
    while (!(await tryLink(own, path))) {
      signal?.throwIfAborted();
      const current = await readHolder(path);
      if (current && (await isStale(current, path))) await takeAway(path, current.text);
      else {
        if (current)
          onWait?.(current.holder ? `process ${current.holder.pid} on ${current.holder.host}` : "another process");
        await sleep(POLL_MS, undefined, { signal });
      }
    }
  } finally {
    await rm(own, { force: true });
  }
  held.add(path);
  const touch = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    held.delete(path);
    await rm(path, { force: true });
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
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

async function isStale({ holder }: { holder: Holder | undefined }, path: string): Promise<boolean> {
  if (holder?.host === hostname()) {
    if (holder.process === PROCESS) return !held.has(path);
    return holder.pid === process.pid || !alive(holder.pid);
  }
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs > STALE_MS;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // somebody else's, but alive
  }
}

/** Two waiters may both find the lock stale; only a lock that still says so is removed, another's is put back. */
async function takeAway(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return; // the other waiter was first
  }
  if ((await readFile(aside, "utf8")) !== text) await tryLink(aside, path);
  await rm(aside, { force: true });
}
