import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { randomBase62 } from "./ids.ts";
import { ObjectNotFound, type ObjectStore } from "./object-store.ts";

/** Where half-written objects are; names under it are no keys. */
const PARTIAL = ".partial";

/** A partial file this old was left by a process that was killed: no upload takes so long. */
const ABANDONED_MS = 24 * 3_600_000;

/**
 * Objects as files below `root`. A body goes to a temporary file, is synced, and then renamed: a reader, and a restart
 * after a power cut, sees a whole object or none. Keys cannot leave the root.
 */
export function createDiskStore(root: string): ObjectStore {
  const base = resolve(root);
  let swept = false;

  function pathOf(key: string): string {
    const segments = key.split("/");
    const bad = segments.some((segment) => segment === "" || segment === "." || segment === "..");
    if (bad || segments[0] === PARTIAL || /[\0\\]/.test(key) || segments.some((segment) => segment.length > 255)) {
      throw new RangeError(`not an object key: ${JSON.stringify(key)}`);
    }
    return join(base, ...segments);
  }

  /** A prefix may end inside a name: the directory to walk, and what names must start with. */
  function prefixOf(prefix: string): string {
    const trimmed = prefix.replace(/\/$/, "");
    if (trimmed !== "") pathOf(trimmed);
    return prefix.endsWith("/") ? pathOf(trimmed) : trimmed.includes("/") ? dirname(pathOf(trimmed)) : base;
  }

  async function* list(prefix: string): AsyncIterable<string> {
    for await (const path of walk(prefixOf(prefix))) {
      const key = relative(base, path).split(sep).join("/");
      if (key.startsWith(prefix) && !key.startsWith(`${PARTIAL}/`)) yield key;
    }
  }

  /** Empty directories above a deleted object go too, or they would pile up for ever. */
  async function removeEmptyParents(path: string): Promise<void> {
    for (let parent = dirname(path); parent !== base && parent.startsWith(base + sep); parent = dirname(parent)) {
      try {
        await rmdir(parent);
      } catch {
        return; // Not empty, or gone already.
      }
    }
  }

  return {
    async put(key, body, options = {}) {
      // A stream may fail before it is read: reading it tells, but until then an error without a listener is uncaught.
      if (body instanceof Readable) body.on("error", () => undefined);
      try {
        const target = pathOf(key);
        const partial = join(base, PARTIAL, randomBase62(16));
        await mkdir(dirname(partial), { recursive: true });
        if (!swept) {
          swept = true;
          await sweep(dirname(partial));
        }
        return await putThrough(partial, target, body, options.signal);
      } catch (error) {
        // A stream that nobody will read to its end holds a file or a socket open.
        if (body instanceof Readable) body.destroy();
        throw error;
      }
    },

    async get(key, { range, signal } = {}) {
      const path = pathOf(key);
      const file = await open(path, "r").catch((error) => {
        throw isMissing(error) ? new ObjectNotFound(key) : error;
      });
      if (!(await file.stat()).isFile()) {
        await file.close();
        throw new ObjectNotFound(key);
      }
      if (range && range.end <= range.start) {
        await file.close();
        return Readable.from([]);
      }
      return createReadStream(path, {
        fd: file,
        start: range?.start ?? 0,
        ...(range ? { end: range.end - 1 } : {}),
        ...(signal ? { signal } : {}),
      });
    },

    async head(key) {
      const info = await stat(pathOf(key)).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return info?.isFile() ? { bytes: info.size } : null;
    },

    list,

    async delete(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await removeEmptyParents(path);
    },

    async deletePrefix(prefix) {
      if (prefix === "") throw new RangeError("an empty prefix would delete the whole store");
      if (prefix.endsWith("/")) {
        const directory = prefixOf(prefix);
        await rm(directory, { recursive: true, force: true });
        await removeEmptyParents(directory);
        return;
      }
      for await (const key of list(prefix)) await rm(pathOf(key), { force: true });
    },

    async check() {
      const probe = join(base, PARTIAL, randomBase62(16));
      await mkdir(dirname(probe), { recursive: true });
      const file = await open(probe, "wx");
      try {
        await file.write("ok");
      } finally {
        await file.close();
        await rm(probe, { force: true });
      }
    },
  };
}

async function putThrough(
  partial: string,
  target: string,
  body: Readable | Uint8Array | string,
  signal?: AbortSignal,
): Promise<{ bytes: number }> {
  const file = await open(partial, "wx", 0o640);
  let bytes = 0;
  try {
    try {
      bytes = await writeAll(file, body, signal);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameInto(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { bytes };
}

async function sweep(partials: string): Promise<void> {
  for (const name of await readdir(partials)) {
    const path = join(partials, name);
    const info = await stat(path).catch(() => null);
    if (info && Date.now() - info.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

async function writeAll(file: FileHandle, body: Readable | Uint8Array | string, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  if (typeof body === "string" || body instanceof Uint8Array) {
    const data = Buffer.from(body);
    await file.writeFile(data);
    return data.length;
  }
  const stop = () => body.destroy(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
  signal?.addEventListener("abort", stop, { once: true });
  let bytes = 0;
  try {
    for await (const chunk of body) {
      const data: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      for (let at = 0; at < data.length; ) at += (await file.write(data, at)).bytesWritten;
      bytes += data.length;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  signal?.throwIfAborted();
  return bytes;
}

/** A delete of a neighbour may remove the directory between mkdir and rename: then once more. */
async function renameInto(partial: string, target: string): Promise<void> {
  const directory = dirname(target);
  for (let attempt = 1; ; attempt++) {
    await mkdir(directory, { recursive: true });
    try {
      await rename(partial, target);
      break;
    } catch (error) {
      if (!isMissing(error) || attempt === 5) throw error;
    }
  }
  // The name itself must survive a power cut, too.
  const handle = await open(directory, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function* walk(directory: string): AsyncIterable<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
