import { execFile } from "node:child_process";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import * as z from "zod";

/**
 * A process named so that a later process with the same number is not taken for it: numbers are used again soon in
 * a container that restarts.
 */
const Incarnation = z.object({ name: z.string(), pid: z.number().int().positive(), started: z.string() });
export type Incarnation = z.output<typeof Incarnation>;

const Lock = z.object({ holder: Incarnation, children: z.array(Incarnation) });

/** Another stack works in the state directory. The message names its process and the file. */
export class StateInUse extends Error {
  override name = "StateInUse";
}

export interface StateLock {
  /** Writes down a child, so that the start after a kill -9 can end what was left running. */
  addChild(name: string, pid: number): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the state directory for this process. A lock whose process is gone is taken over, after its children that
 * still run are ended; `onLeftover` hears of each. Throws StateInUse when the holder lives.
 */
export async function takeLock(path: string, onLeftover: (child: Incarnation) => void): Promise<StateLock> {
  const holder = await incarnation("stack", process.pid);
  const children = new Map<string, Incarnation>();
  const text = () => `${JSON.stringify({ holder, children: [...children.values()] })}\n`;
  // A link appears with its whole content, which a file opened exclusively and then written does not.
  const mine = `${path}.${process.pid}`;
  await writeFile(mine, text(), { mode: 0o600 });
  try {
    while (!(await linked(mine, path))) await clearStale(path, onLeftover);
  } finally {
    await rm(mine, { force: true });
  }
  let writing = Promise.resolve();
  return {
    addChild(name, pid) {
      writing = writing.then(async () => {
        children.set(name, await incarnation(name, pid));
        await writeFile(mine, text(), { mode: 0o600 });
        await rename(mine, path);
      });
      return writing;
    },
    async release() {
      await writing;
      await rm(path, { force: true });
    },
  };
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function clearStale(path: string, onLeftover: (child: Incarnation) => void): Promise<void> {
  const lock = await readLock(path);
  if (!lock) return;
  if (await lives(lock.holder)) {
    throw new StateInUse(
      `another Escriba stack (process ${lock.holder.pid}) uses this state directory; its lock is ${path}. ` +
        "Stop that stack, or set ESCRIBA_STATE_DIR to another directory.",
    );
  }
  for (const child of lock.children) {
    if (!(await lives(child))) continue;
    onLeftover(child);
    await end(child);
  }
  await rm(path, { force: true });
}

async function readLock(path: string): Promise<z.output<typeof Lock> | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return Lock.parse(JSON.parse(text));
  } catch {
    throw new StateInUse(`${path} is not a lock file of Escriba. Remove it if no stack runs in this directory.`);
  }
}

/** SIGINT is PostgreSQL's fast shutdown (sessions are cut, data is kept) and an ordinary end for the others. */
async function end(child: Incarnation): Promise<void> {
  for (const [signal, waitMs] of [
    ["SIGINT", 10_000],
    ["SIGKILL", 5_000],
  ] as const) {
    try {
      process.kill(child.pid, signal);
    } catch {
      return;
    }
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!(await lives(child))) return;
      await sleep(100);
    }
  }
}

async function lives(process: Incarnation): Promise<boolean> {
  return (await startTime(process.pid)) === process.started;
}

async function incarnation(name: string, pid: number): Promise<Incarnation> {
  return { name, pid, started: (await startTime(pid)) ?? "" };
}

/** When process `pid` began, in words that differ for every process that ever had this number; undefined when none. */
async function startTime(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // The second field is the command in parentheses and may hold spaces; state is field 3, start time field 22.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields[0] === "Z") return undefined;
      const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
      return `${boot.trim()} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
