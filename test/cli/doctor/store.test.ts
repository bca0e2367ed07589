import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PutBucketLifecycleConfigurationCommand } from "@aws-sdk/client-s3";
import test from "ava";
import { examineStore } from "../../../cli/doctor/store.ts";
import { openStore } from "../../../storage/open-store.ts";
import { createS3Client } from "../../../storage/s3-store.ts";
import { startSeaweedfs } from "../../support/seaweedfs.ts";
import { examined, outcomes } from "./examined.ts";

const examine = (store: string) => examined("store", examineStore, { ESCRIBA_OBJECT_STORE: store });
const ALL_WELL = { reachable: "ok", clock: "ok", objects: "ok", parts: "ok", lifecycle: "ok", "clean-up": "ok" };

test("a real S3 server is well: objects, parts, clock; nothing of the probe is left", async (t) => {
  const s3 = await startSeaweedfs();
  t.teardown(() => s3.stop());
  const { accessKeyId, secretAccessKey } = s3.credentials;
  const value = (key: string) =>
    `s3://${accessKeyId}:${key}@${s3.bucket}/prefix?endpoint=${encodeURIComponent(s3.endpoint)}`;
  const checks = await examine(value(secretAccessKey));
  t.deepEqual(outcomes(checks), { ...ALL_WELL, lifecycle: "warning" }, JSON.stringify(checks));
  t.regex(checks.lifecycle?.remedy?.[0] ?? "", /AbortIncompleteMultipartUpload/);
  t.false(JSON.stringify(checks).includes(secretAccessKey), "credentials are not told");
  t.true(Math.abs(Number(checks.clock?.numbers?.skewSeconds)) <= 1);
  t.deepEqual(await Array.fromAsync(openStore(value(secretAccessKey)).list("")), []);

  const client = createS3Client({ ...s3, prefix: "", region: "us-east-1" });
  t.teardown(() => client.destroy());
  const ruled = async (Prefix: string) => {
    const abort = { DaysAfterInitiation: 2 };
    const rule = { ID: "a", Status: "Enabled", Filter: { Prefix }, AbortIncompleteMultipartUpload: abort } as const;
    const LifecycleConfiguration = { Rules: [rule] };
    await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket: s3.bucket, LifecycleConfiguration }));
    return (await examine(value(secretAccessKey))).lifecycle?.outcome;
  };
  t.is(await ruled("elsewhere/"), "warning");
  t.is(await ruled("pre"), "ok");

  const refused = await examine(value("wrong"));
  t.deepEqual(outcomes(refused), { reachable: "failed" });
  t.regex(refused.reachable?.remedy?.[0] ?? "", /credentials need s3:ListBucket/);
});

test("a directory is well; one that cannot be written is told", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-doctor-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const checks = await examine(pathToFileURL(directory).href);
  t.deepEqual(outcomes(checks), ALL_WELL);
  t.true(Number(checks.clock?.numbers?.freeBytes) > 0);
  t.deepEqual(await Array.fromAsync(openStore(pathToFileURL(directory).href).list("")), []);

  // A file where the directory should be: not even root writes below it.
  const inTheWay = join(directory, "file");
  await openStore(pathToFileURL(directory).href).put("file", "x");
  t.deepEqual(outcomes(await examine(pathToFileURL(inTheWay).href)), { reachable: "failed" });
});

test("values that name no store, and none at all, are told", async (t) => {
  t.like((await examine("ftp://x")).reachable, { outcome: "failed" });
  t.regex((await examine("ftp://x")).reachable?.said ?? "", /names no object store/);
  t.like((await examine("")).configured, { outcome: "skipped" });
});

test("a store whose clock is an hour off is told before anything is signed in vain", async (t) => {
  const server = await clockOff(3_600_000);
  t.teardown(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { clock } = await examine(`s3://a:b@bucket/?endpoint=${encodeURIComponent(endpoint)}`);
  t.is(clock?.outcome, "failed");
  t.regex(clock?.said ?? "", /^the clock of the store is 3[56]\d\d s ahead of this process's$/);
});

test("a store that answers writes and forgets them fails", async (t) => {
  const server = await clockOff(0);
  t.teardown(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { objects, parts } = await examine(`s3://a:b@bucket/?endpoint=${encodeURIComponent(endpoint)}`);
  t.like(objects, { outcome: "failed", said: "an object of 7 bytes has 0" });
  t.is(parts, undefined);
});

/** Says yes to everything, like a real one whose clock is off; a real one cannot be made to be. */
async function clockOff(ms: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.sendDate = false;
    response.setHeader("Date", new Date(Date.now() + ms).toUTCString());
    const listed = request.method === "GET" && request.url?.includes("list-type=2");
    response.end(listed ? "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
