import { createHash, randomBytes, randomUUID } from "node:crypto";
import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { openStore, readStore } from "../../storage/open-store.ts";
import { removesBrokenUploads } from "../../storage/s3-lifecycle.ts";
import { type Examination, type Finding, failed, messageOf, ok, Problem, warning } from "./check.ts";
import { skewFinding } from "./clock-skew.ts";
import type { Settings } from "./config.ts";

/** More than one part of a multipart upload (8 MB, storage/s3-store.ts), and not a whole number of them. */
const LARGE_BYTES = 9_000_001;
const PART_BYTES = 8 * 1024 * 1024;
/** A ten-hour recording, decoded. */
const ROOM_BYTES = 1.2e9;

/** The object store, with objects of its own that are gone afterwards. */
export async function examineStore(settings: Settings, examination: Examination): Promise<void> {
  const value = settings.ESCRIBA_OBJECT_STORE;
  if (value === "") return examination.skip("ESCRIBA_OBJECT_STORE is not set");
  const store = await examination.check("reachable", 15_000, () => open(value));
  if (!store) return;
  const prefix = keys.probe(randomUUID());
  try {
    await examination.check("clock", 15_000, (signal) => clock(value, store, prefix, signal));
    const works = await examination.check("objects", 30_000, () => objects(store, prefix));
    if (works) await examination.check("parts", 120_000, (signal) => parts(store, prefix, signal));
    await examination.check("lifecycle", 15_000, () => lifecycle(value));
  } finally {
    await examination.check("clean-up", 30_000, async () => {
      await store.deletePrefix(prefix);
      const left = await Array.fromAsync(store.list(prefix));
      if (left.length === 0) return ok("nothing of the probe is left");
      return failed(`${left.length} objects were not deleted`, [`allow s3:DeleteObject, then delete ${prefix}`]);
    });
  }
}

async function open(value: string): Promise<{ finding: Finding; value: ObjectStore }> {
  const store = openStore(value);
  const shown = value.replace(/\/\/[^@/]*@/, "//…@");
  await store.check().catch((error: unknown) => {
    throw new Problem(
      `${shown}: ${messageOf(error)}`,
      "the bucket or directory must exist; for S3 the credentials need s3:ListBucket, GetObject, PutObject, DeleteObject and AbortMultipartUpload",
    );
  });
  return { finding: ok(shown), value: store };
}

/** Write, look, read whole and in part, list, overwrite, delete. */
async function objects(store: ObjectStore, prefix: string): Promise<Finding> {
  const key = `${prefix}small`;
  const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new Problem(`${what}: ${messageOf(error)}`, `allow this process to ${what} objects below its prefix`);
    }
  };
  const expect = (holds: boolean, what: string) => {
    if (!holds) throw new Problem(what, "this store does not do what S3 does; use another one");
  };
  await step("write", () => store.put(key, "first"));
  await step("write", () => store.put(key, "a probe"));
  const size = await step("look at", () => store.head(key));
  expect(size?.bytes === 7, `an object of 7 bytes has ${size?.bytes}`);
  const range = { start: 2, end: 7 };
  const read = await step("read", async () => (await buffer(await store.get(key, { range }))).toString());
  expect(read === "probe", `bytes 2 to 7 of “a probe” are “${read}”`);
  const listed = await step("list", () => Array.fromAsync(store.list(prefix)));
  expect(listed.includes(key), "an object just written is not in the list");
  await step("delete", () => store.delete(key));
  expect((await step("look at", () => store.head(key))) === null, "a deleted object is still there");
  return ok("written, overwritten, read in part, listed and deleted");
}

/** A streamed body longer than one part, and a range of it that lies on the seam. */
async function parts(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<Finding> {
  const key = `${prefix}large`;
  const body = randomBytes(LARGE_BYTES);
  const started = performance.now();
  const pieces = Readable.from([body.subarray(0, 5_000_000), body.subarray(5_000_000)], { objectMode: false });
  await store.put(key, pieces, { signal }).catch((error: unknown) => {
    throw new Problem(`a body of two parts is not stored: ${messageOf(error)}`, "allow multipart uploads");
  });
  const seconds = (performance.now() - started) / 1_000;
  const back = await buffer(await store.get(key, { signal }));
  if (digest(back) !== digest(body)) return failed("what comes back is not what was stored", ["use another store"]);
  const range = { start: PART_BYTES - 100, end: PART_BYTES + 100 };
  const seam = await buffer(await store.get(key, { range, signal }));
  if (!seam.equals(body.subarray(range.start, range.end)))
    return failed("a range over two parts is not what was stored", ["use another store"]);
  const rate = LARGE_BYTES / 1e6 / seconds;
  return ok(`9 MB in two parts, written with ${rate.toFixed(0)} MB/s`, { megabytesPerSecond: rate });
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function lifecycle(value: string): Promise<Finding> {
  const named = readStore(value);
  if (named.kind === "disk") return ok("a directory needs none: what breaks off is removed at once");
  const removes = await removesBrokenUploads(named.settings);
  if (removes) return ok("parts of uploads that broke off are removed");
  if (removes === null) return ok("the bucket's rules may not be read (s3:GetLifecycleConfiguration)");
  return warning("parts of uploads that broke off are kept, and paid for", [
    "give the bucket a lifecycle rule AbortIncompleteMultipartUpload of a few days for the whole prefix",
  ]);
}

/** S3 refuses signatures more than 15 minutes off; leases and expiries are off by whatever the clocks are. */
async function clock(value: string, store: ObjectStore, prefix: string, signal: AbortSignal): Promise<Finding> {
  const named = readStore(value);
  if (named.kind === "disk") return disk(named.directory, store, prefix);
  const endpoint = named.settings.endpoint ?? `https://s3.${named.settings.region}.amazonaws.com`;
  const asked = Date.now();
  const response = await fetch(endpoint, { method: "HEAD", signal });
  const answered = Date.now();
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return ok("the store does not say its time");
  // Cut to whole seconds: half a one is missing on average.
  return skewFinding(theirs + 500 - (asked + answered) / 2, "the store", { failsAt: 900 });
}

async function disk(directory: string, store: ObjectStore, prefix: string): Promise<Finding> {
  const key = `${prefix}clock`;
  const before = Date.now();
  await store.put(key, "now");
  const { mtimeMs } = await stat(join(directory, key));
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free < ROOM_BYTES)
    return warning(
      `${(free / 1e9).toFixed(1)} GB are free`,
      [`a ten-hour recording takes ${ROOM_BYTES / 1e9} GB decoded: give the volume more room`],
      { freeBytes: free },
    );
  return skewFinding(mtimeMs - (before + Date.now()) / 2, "the volume", { freeBytes: free });
}
