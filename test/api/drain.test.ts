import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { sweepScratch } from "../../api/upload/scratch.ts";
import { filesIn, type Harness, startHarness, wav } from "./harness.ts";
import { RawConnection } from "./raw.ts";

const AUDIO = Buffer.from(wav(0.05));
const TAIL = Buffer.from("\r\n--B--\r\n");

/** An upload whose last bytes have not been sent yet, known to have reached the handler. */
async function startUpload(harness: Harness, key: string): Promise<RawConnection> {
  const part = Buffer.from('--B\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n');
  const connection = new RawConnection(harness.api.url);
  connection.write(
    `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      "Content-Type: multipart/form-data; boundary=B\r\n" +
      `Content-Length: ${part.length + AUDIO.length + TAIL.length}\r\n\r\n`,
  );
  connection.write(Buffer.concat([part, AUDIO]));
  while ((await filesIn(harness.scratchDir)).length === 0) await sleep(10);
  return connection;
}

test("a draining API is not ready, takes no connection, and lets an upload finish", async (t) => {
  const harness = await startHarness();
  try {
    const { key } = await harness.tenant();
    const upload = await startUpload(harness, key);
    const closed = harness.api.close();
    t.is((await fetch(harness.api.metricsUrl.replace("/metrics", "/readyz"))).status, 503);
    await t.throwsAsync(fetch(`${harness.api.url}/livez`));
    upload.write(TAIL);
    const { status } = await upload.reply();
    t.is(status, 201);
    await closed;
    await t.throwsAsync(fetch(harness.api.metricsUrl));
  } finally {
    await harness.stop();
  }
});

test("what arrives on an open connection during the drain is finished too, and told to close", async (t) => {
  const harness = await startHarness();
  try {
    const { key } = await harness.tenant();
    const early = await startUpload(harness, key);
    const late = new RawConnection(harness.api.url);
    late.write("POST /v1/files HTTP/1.1\r\n");
    await sleep(100); // begun, so not an idle connection
    const closed = harness.api.close();
    const part = Buffer.from('--B\r\nContent-Disposition: form-data; name="file"; filename="b.wav"\r\n\r\n');
    late.write(
      `Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=B\r\n` +
        `Content-Length: ${part.length + AUDIO.length + TAIL.length}\r\n\r\n`,
    );
    late.write(Buffer.concat([part, AUDIO]));
    while ((await filesIn(harness.scratchDir)).length < 2) await sleep(10);
    early.write(TAIL);
    const first = await early.reply();
    t.is(first.status, 201);
    t.is(first.headers.connection, "close");
    await sleep(100);
    late.write(TAIL);
    const second = await late.reply();
    t.is(second.status, 201);
    t.is(second.headers.connection, "close");
    await closed;
  } finally {
    await harness.stop();
  }
});

test("an upload that outlives the grace is cut, and leaves nothing behind", async (t) => {
  const harness = await startHarness({ ESCRIBA_GRACE_SECONDS: "0.2" });
  try {
    const { key } = await harness.tenant();
    const upload = await startUpload(harness, key);
    await harness.api.close();
    await t.throwsAsync(upload.reply());
    t.deepEqual(await filesIn(harness.scratchDir), []);
    t.deepEqual(await filesIn(harness.objectsDir), []);
  } finally {
    await harness.stop();
  }
});

test("a start removes what a killed process left in the scratch directory, and nothing else", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-scratch-"));
  const gone = spawn(process.execPath, ["-e", "0"]);
  await once(gone, "exit");
  const prefix = `escriba-upload-${hostname()}`;
  const dead = [`${prefix}-${gone.pid}-file_a`, `${prefix}-${process.pid}-file_b`, "escriba-upload-other-1-file_d"];
  // Another container's process may have our number: its uploads are its own until they are too old to be running.
  const kept = [`${prefix}-${process.ppid}-file_c`, `escriba-upload-other-${process.pid}-file_e`, "notes.txt"];
  for (const name of [...dead, ...kept]) await writeFile(join(directory, name), "x");
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(directory, "escriba-upload-other-1-file_d"), yesterday, yesterday);
  await sweepScratch(directory);
  t.deepEqual((await readdir(directory)).sort(), kept.sort());
  await rm(directory, { recursive: true });
});
