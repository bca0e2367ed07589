import { once } from "node:events";
import { request } from "node:http";
import test from "ava";
import { MAX_FILE_BYTES } from "../../api/config.ts";
import { readFile } from "../../storage/files.ts";
import { form, startHarness, wav } from "./harness.ts";
import { exchange, RawConnection } from "./raw.ts";

const MIB = 1024 * 1024;

test("201: 300 MB pass without the memory growing with them", async (t) => {
  const harness = await startHarness();
  try {
    const tenant = await harness.tenant();
    // Everything is loaded and warm before the memory is looked at.
    t.is((await tenant.call("POST", "/v1/files", { body: form(wav(30)) })).status, 201);
    global.gc?.();
    const start = process.memoryUsage().rss;
    let peak = start;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);

    const header = Buffer.from(wav(0));
    const data = 300 * MIB;
    header.writeUInt32LE(data + 36, 4);
    header.writeUInt32LE(data, 40);
    const sending = request(`${harness.api.url}/v1/files`, {
      method: "POST",
      headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "multipart/form-data; boundary=B" },
    });
    const answered = once(sending, "response");
    sending.write('--B\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\n\r\n');
    sending.write(header);
    const block = Buffer.alloc(MIB, 7);
    for (let sent = 0; sent < data; sent += block.length) {
      if (!sending.write(block)) await once(sending, "drain");
    }
    sending.end("\r\n--B--\r\n");
    const [response] = await answered;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    clearInterval(watch);

    t.is(response.statusCode, 201);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    t.is(body.bytes, data + 44);
    const row = await readFile(harness.postgres.db, tenant.organizationId, body.id);
    t.is(row?.durationMs, Math.round((data / 32_000) * 1000));
    const grown = (peak - start) / MIB;
    t.log(`300 MB in, ${grown.toFixed(0)} MB more at the peak`);
    t.true(grown < 150, `${grown} MB`);
  } finally {
    await harness.stop();
  }
});

test("413 from Content-Length alone, just over 2^31 bytes of file; just under it the body is asked for", async (t) => {
  const harness = await startHarness();
  try {
    const { key } = await harness.tenant();
    const head = (length: number) =>
      `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
      `Content-Type: multipart/form-data; boundary=B\r\nContent-Length: ${length}\r\n\r\n`;
    t.is(MAX_FILE_BYTES, 2_147_483_648);
    const limit = MAX_FILE_BYTES + 65_536;
    const { status, text } = await exchange(harness.api.url, head(limit + 1));
    t.is(status, 413);
    t.is(JSON.parse(text).error.code, "file_too_large");
    const connection = new RawConnection(harness.api.url);
    connection.write(head(limit));
    const [first] = await once(connection.socket, "data");
    t.regex(String(first), /^HTTP\/1\.1 100 /);
    connection.destroy();
  } finally {
    await harness.stop();
  }
});
