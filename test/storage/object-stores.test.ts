import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import anyTest, { type ExecutionContext, type TestFn } from "ava";
import { createDiskStore } from "../../storage/disk-store.ts";
import { ObjectNotFound, type ObjectStore } from "../../storage/object-store.ts";
import { openStore } from "../../storage/open-store.ts";
import { createS3Store } from "../../storage/s3-store.ts";
import { startSeaweedfs, type TestS3 } from "../support/seaweedfs.ts";

interface Context {
  dir: string;
  s3: TestS3;
}
const test = anyTest as TestFn<Context>;

test.before(async (t) => {
  t.context.dir = await mkdtemp(join(tmpdir(), "escriba-store-"));
  t.context.s3 = await startSeaweedfs();
});
test.after.always(async (t) => {
  await t.context.s3?.stop();
  await rm(t.context.dir, { recursive: true, force: true });
});

/** One contract, two stores. */
for (const kind of ["disk", "s3"] as const) {
  const open = ({ dir, s3 }: Context) =>
    kind === "disk"
      ? createDiskStore(join(dir, "objects"))
      : createS3Store({ ...s3, prefix: "tests/", region: "us-east-1" });
  const contract = (title: string, run: (store: ObjectStore, t: ExecutionContext<Context>) => Promise<void>) =>
    test(`${kind}: ${title}`, (t) => run(open(t.context), t));

  contract("what was put is read back, from text, bytes and a stream", async (store, t) => {
    t.deepEqual(await store.put("a/text", "ñandú"), { bytes: 7 });
    t.deepEqual(await store.put("a/bytes", new Uint8Array([0, 255, 7])), { bytes: 3 });
    t.deepEqual(await store.put("a/stream", Readable.from([Buffer.from("one "), Buffer.from("two")])), { bytes: 7 });
    t.deepEqual(await store.put("a/empty", Readable.from([])), { bytes: 0 });
    t.is((await buffer(await store.get("a/text"))).toString(), "ñandú");
    t.deepEqual([...(await buffer(await store.get("a/bytes")))], [0, 255, 7]);
    t.is((await buffer(await store.get("a/stream"))).toString(), "one two");
    t.is((await buffer(await store.get("a/empty"))).length, 0);
    t.deepEqual(await store.head("a/stream"), { bytes: 7 });
  });

  contract("a second put replaces the object", async (store, t) => {
    await store.put("again", "the first and longer");
    await store.put("again", "the second");
    t.is((await buffer(await store.get("again"))).toString(), "the second");
  });

  contract("ranges are half-open, and stop at the end", async (store, t) => {
    await store.put("range", "0123456789");
    const read = async (start: number, end: number) =>
      (await buffer(await store.get("range", { range: { start, end } }))).toString();
    t.is(await read(0, 1), "0");
    t.is(await read(3, 7), "3456");
    t.is(await read(8, 100), "89");
    t.is(await read(4, 4), "");
    t.is(await read(10, 20), "");
  });

  contract("a missing key is ObjectNotFound, null, or nothing to delete", async (store, t) => {
    await t.throwsAsync(() => store.get("no/such"), { instanceOf: ObjectNotFound });
    await t.throwsAsync(() => store.get("no/such", { range: { start: 0, end: 0 } }), { instanceOf: ObjectNotFound });
    t.is(await store.head("no/such"), null);
    await t.notThrowsAsync(() => store.delete("no/such"));
    await t.notThrowsAsync(() => store.deletePrefix("no/such/"));
  });

  contract("a prefix lists and deletes what is below it and nothing beside it", async (store, t) => {
    const below = ["p/tr_1/a", "p/tr_1/windows/00001.json", "p/tr_1/windows/00002.json"];
    for (const key of [...below, "p/tr_10/a"]) await store.put(key, key);
    t.deepEqual((await Array.fromAsync(store.list("p/tr_1/"))).sort(), below);
    t.deepEqual((await Array.fromAsync(store.list("p/tr_1"))).sort(), [...below, "p/tr_10/a"]);
    await store.deletePrefix("p/tr_1/");
    t.deepEqual(await Array.fromAsync(store.list("p/")), ["p/tr_10/a"]);
    await store.delete("p/tr_10/a");
    t.deepEqual(await Array.fromAsync(store.list("p/")), []);
    await t.throwsAsync(() => store.deletePrefix(""), { instanceOf: RangeError });
  });

  contract("a body that breaks leaves nothing, or what was there", async (store, t) => {
    const broken = () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(9 * 1024 * 1024);
          throw new Error("the client went away");
        })(),
      );
    await t.throwsAsync(() => store.put("broken/new", broken()), { message: "the client went away" });
    t.is(await store.head("broken/new"), null);
    await store.put("broken/old", "whole");
    await t.throwsAsync(() => store.put("broken/old", broken()), { message: "the client went away" });
    t.is((await buffer(await store.get("broken/old"))).toString(), "whole");
  });

  contract("an aborted put ends with the caller's reason and leaves nothing", async (store, t) => {
    const abort = new AbortController();
    const endless = Readable.from(
      (async function* () {
        for (let chunk = 0; ; chunk++) {
          if (chunk === 40) abort.abort(new Error("enough"));
          yield Buffer.alloc(256 * 1024);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })(),
    );
    await t.throwsAsync(() => store.put("aborted", endless, { signal: abort.signal }), { message: "enough" });
    t.is(await store.head("aborted"), null);
  });

  contract("a source that cannot be opened rejects the put, and is no uncaught error", async (store, t) => {
    for (let round = 0; round < 5; round++) {
      const source = createReadStream(join(t.context.dir, "no-such-file"));
      await t.throwsAsync(() => store.put("unopened", source), { code: "ENOENT" });
    }
    t.is(await store.head("unopened"), null);
  });

  contract("a stream whose put never began is closed", async (store, t) => {
    const source = Readable.from(["never read"]);
    const signal = AbortSignal.abort(new Error("gone before"));
    await t.throwsAsync(() => store.put("unread", source, { signal }), { message: "gone before" });
    t.true(source.destroyed);
  });

  contract("keys cannot leave the store", async (store, t) => {
    for (const key of ["../outside", "a/../../outside", "/etc/passwd", "a//b/../..", "a\0b", "", ".", "a/./b"]) {
      await t.throwsAsync(() => store.put(key, "x"), { instanceOf: RangeError }, key);
      await t.throwsAsync(async () => store.get(key), { instanceOf: RangeError }, key);
    }
  });

  // Alone in the process, or the neighbours' buffers would be counted.
  test.serial(`${kind}: 100 MB stream through with bounded memory`, async (t) => {
    const store = open(t.context);
    const CHUNK = 64 * 1024;
    const CHUNKS = 1600;
    const before = memory();
    let peak = 0;
    const sent = createHash("sha256");
    const source = Readable.from(
      (async function* () {
        for (let at = 0; at < CHUNKS; at++) {
          const chunk = Buffer.alloc(CHUNK, at % 251);
          sent.update(chunk);
          if (at % 100 === 0) peak = Math.max(peak, memory());
          yield chunk;
        }
      })(),
      { objectMode: false },
    );
    t.deepEqual(await store.put("large", source), { bytes: CHUNK * CHUNKS });
    const received = createHash("sha256");
    let at = 0;
    for await (const chunk of await store.get("large")) {
      received.update(chunk);
      if (at++ % 100 === 0) peak = Math.max(peak, memory());
    }
    t.is(received.digest("hex"), sent.digest("hex"));
    // Three parts of 8 MB on S3, held twice while they are joined; a few buffers on disk.
    t.true(peak - before < 60 * 1024 * 1024, `${Math.round((peak - before) / 1e6)} MB over the start`);
  });

  contract("check succeeds on a store that works", async (store, t) => {
    await t.notThrowsAsync(() => store.check());
  });
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes that are still referenced, inside and outside V8's heap. */
function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("disk: a body that breaks leaves no partial file behind", async (t) => {
  const root = join(t.context.dir, "partial");
  const store = createDiskStore(root);
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from("some");
      throw new Error("broken");
    })(),
  );
  await t.throwsAsync(() => store.put("a/b", failing));
  t.deepEqual(await readdir(join(root, ".partial")), []);
  t.deepEqual(await readdir(root), [".partial"]);
});

test("disk: what a killed process left half-written is removed after a day", async (t) => {
  const root = join(t.context.dir, "killed");
  await mkdir(join(root, ".partial"), { recursive: true });
  const [old, recent] = [join(root, ".partial", "old"), join(root, ".partial", "recent")];
  await writeFile(old, "half");
  await writeFile(recent, "half");
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(old, yesterday, yesterday);
  await createDiskStore(root).put("a", "whole");
  t.deepEqual(await readdir(join(root, ".partial")), ["recent"]);
});

test("disk: a put beside a delete that removes the directory succeeds", async (t) => {
  const store = createDiskStore(join(t.context.dir, "race"));
  for (let round = 0; round < 50; round++) {
    await store.put("x/y/one", "1");
    await Promise.all([store.delete("x/y/one"), store.put("x/y/two", "2")]);
    t.deepEqual(await store.head("x/y/two"), { bytes: 1 });
    await store.deletePrefix("x/");
  }
});

test("disk: a stream for a directory that is not to be had is closed", async (t) => {
  await writeFile(join(t.context.dir, "a-file"), "");
  const source = Readable.from(["never read"]);
  await t.throwsAsync(() => createDiskStore(join(t.context.dir, "a-file")).put("k", source), { code: "ENOTDIR" });
  t.true(source.destroyed);
});

test("check rejects when there is no such bucket, or no server", async (t) => {
  const { s3 } = t.context;
  const wrong = createS3Store({ ...s3, bucket: "no-such-bucket", prefix: "", region: "us-east-1" });
  await t.throwsAsync(() => wrong.check());
  const nowhere = createS3Store({ ...s3, endpoint: "http://127.0.0.1:1", prefix: "", region: "us-east-1" });
  await t.throwsAsync(() => nowhere.check());
});

test("openStore reads both kinds of URL", async (t) => {
  const { dir, s3 } = t.context;
  const disk = openStore(pathToFileURL(join(dir, "opened")).href);
  await disk.put("k", "on disk");
  t.is((await buffer(await createDiskStore(join(dir, "opened")).get("k"))).toString(), "on disk");

  const { accessKeyId, secretAccessKey } = s3.credentials;
  const remote = openStore(
    `s3://${accessKeyId}:${secretAccessKey}@${s3.bucket}/opened/deep/?endpoint=${encodeURIComponent(s3.endpoint)}&region=eu-1`,
  );
  await remote.put("k", "on s3");
  const same = createS3Store({ ...s3, prefix: "opened/deep/", region: "us-east-1" });
  t.is((await buffer(await same.get("k"))).toString(), "on s3");
});

test("openStore refuses what it does not understand, without showing a password", (t) => {
  for (const value of [
    "",
    "/var/lib",
    "http://x/y",
    "file:///",
    "s3://",
    "s3://b?reggion=x",
    "s3://b?endpoint=ftp://x",
    "s3://b?endpoint=http://x&path_style=no",
  ]) {
    t.throws(() => openStore(value), { instanceOf: TypeError, message: /file:\/\/\/directory/ }, value);
  }
  t.false(t.throws(() => openStore("gs://user:hunter2@bucket"))?.message.includes("hunter2"));
});

test("the bucket is in the path of a store with an endpoint, and in its host name where that is asked for", async (t) => {
  const asked = async (more: string) => {
    const store = openStore(`s3://k:s@calls?endpoint=${encodeURIComponent("http://nowhere.invalid")}${more}`);
    const error = await t.throwsAsync(store.check());
    return (error as NodeJS.ErrnoException & { hostname?: string }).hostname;
  };
  t.is(await asked(""), "nowhere.invalid");
  t.is(await asked("&path_style=true"), "nowhere.invalid");
  t.is(await asked("&path_style=false"), "calls.nowhere.invalid");
});
