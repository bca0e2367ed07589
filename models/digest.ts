import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** Lower-case hexadecimal SHA-256 of a file. */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { signal });
  return hash.digest("hex");
}

/** Git's name for a file's contents (SHA-1 over a short header and the bytes); the hub's ETag of small files. */
export async function gitBlobId(path: string): Promise<string> {
  const hash = createHash("sha1").update(`blob ${(await stat(path)).size}\0`);
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}
