import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isAlive } from "../../process/alive.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { inStore } from "./objects.ts";

/**
 * Local files of the steps under way, below one directory a process. What a killed process left is removed when the
 * next one on this machine starts.
 */
export interface Scratch {
  /** Runs with a directory of its own, which is gone afterwards whatever happened. */
  within<T>(work: (directory: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openScratch(root: string, alive: (pid: number) => boolean = isAlive): Promise<Scratch> {
  await mkdir(root, { recursive: true });
  const mine = `${hostname()}.`;
  for (const name of await readdir(root)) {
    const pid = name.startsWith(mine) ? Number(name.slice(mine.length).split(".")[0]) : Number.NaN;
    if (!(pid > 0)) continue;
    // A container's process often has the same number every time: what is older than we are is not ours.
    const dead = pid === process.pid ? await isOlder(join(root, name)) : !alive(pid);
    if (dead) await rm(join(root, name), { recursive: true, force: true });
  }
  const directory = await mkdtemp(join(root, `${mine}${process.pid}.`));
  return {
    within: async (work) => {
      const own = await mkdtemp(join(directory, "step-"));
      try {
        return await work(own);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Than this process; what another worker of it has removed meanwhile is of no interest. */
async function isOlder(directory: string): Promise<boolean> {
  const made = await stat(directory).catch(() => null);
  return made !== null && made.birthtimeMs < startedAt();
}

interface Transfer {
  /** Called as bytes move: a worker's heartbeat. */
  onBytes?: () => void;
  signal?: AbortSignal;
}

/** Object (or a range of its bytes) to local file; with `position`, into a file that exists. */
export async function download(
  store: ObjectStore,
  key: string,
  path: string,
  { range, position, onBytes, signal }: Transfer & { range?: { start: number; end: number }; position?: number } = {},
): Promise<void> {
  const file = position === undefined ? { flags: "w" } : { flags: "r+", start: position };
  try {
    const source = await store.get(key, { range, signal });
    await pipeline(source, counting(onBytes), createWriteStream(path, file), { signal });
  } catch (error) {
    throw inStore(error, signal);
  }
}

export async function upload(
  store: ObjectStore,
  path: string,
  key: string,
  { onBytes, signal }: Transfer = {},
): Promise<void> {
  const body = createReadStream(path, { highWaterMark: 1 << 20 });
  const counted = counting(onBytes);
  try {
    await Promise.all([pipeline(body, counted, { signal }), store.put(key, counted, { signal })]);
  } catch (error) {
    throw inStore(error, signal);
  } finally {
    body.destroy();
  }
}

export function counting(onBytes: (() => void) | undefined): Transform {
  return new Transform({
    transform(bytes, _encoding, done) {
      onBytes?.();
      done(null, bytes);
    },
  });
}

/** Epoch milliseconds, a second early: clocks and file systems round. */
function startedAt(): number {
  return Date.now() - process.uptime() * 1000 - 1000;
}
