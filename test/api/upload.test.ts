import { gzipSync } from "node:zlib";
import test from "ava";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { readFile } from "../../storage/files.ts";
import { keys } from "../../storage/keys.ts";
import { settlement } from "../support/organization.ts";
import { filesIn, form, type Harness, type Reply, startHarness, type Tenant, wav } from "./harness.ts";
import { exchange, RawConnection } from "./raw.ts";

let harness: Harness;
let tenant: Tenant;
test.before(async () => {
  harness = await startHarness({ ESCRIBA_MAX_FILE_BYTES: "1000000", ESCRIBA_UPLOAD_IDLE_SECONDS: "2" });
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

const upload = (content: Uint8Array<ArrayBuffer> | string, name?: string, type?: string, field?: string) =>
  tenant.call("POST", "/v1/files", { body: form(content, name, type, field) });

/** Only what was accepted may be in the store, and nothing in the scratch directory. */
async function nothingLeft(): Promise<{ scratch: number; orphans: string[] }> {
  const rows = await harness.postgres.db.file.findMany();
  const known = new Set(rows.map((row) => row.objectKey.split("/").at(-1)));
  const stored = await filesIn(harness.objectsDir);
  return {
    scratch: (await filesIn(harness.scratchDir)).length,
    orphans: stored.filter((path) => !known.has(path.split("/").at(-1))),
  };
}

test.serial("201: a file object; the row knows format, duration and channels, the store the bytes", async (t) => {
  const content = wav(1.5, { channels: 2 });
  const { status, body } = await upload(content, "Llamada nº 1.wav");
  t.is(status, 201);
  t.is(body.filename, "Llamada nº 1.wav");
  t.is(body.bytes, content.length);
  t.is(body.content_type, "audio/wav");
  t.regex(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const row = await readFile(harness.postgres.db, tenant.organizationId, body.id);
  t.is(row?.format, "wav");
  t.is(row?.durationMs, 1_500);
  t.is(row?.channels, 2);
  const chunks: Buffer[] = [];
  for await (const chunk of await harness.objects.get(row?.objectKey ?? "")) chunks.push(chunk);
  t.deepEqual(Buffer.concat(chunks), Buffer.from(content));
  const read = await tenant.call("GET", `/v1/files/${body.id}`);
  t.deepEqual(read.body, { ...body, expires_at: null });
});

test.serial("expires_at follows the organization's retention", async (t) => {
  const { call } = await harness.tenant({ defaultRetention: "7d" });
  const { body } = await call("POST", "/v1/files", { body: form(wav(0.1)) });
  const read = await call("GET", `/v1/files/${body.id}`);
  t.true(Math.abs(Date.parse(read.body.expires_at) - Date.parse(body.created_at) - 7 * 86_400_000) < 60_000);
});

test.serial("404: another organization's file is as absent as one that never was", async (t) => {
  const { body } = await upload(wav(0.1));
  const other = await harness.tenant();
  const strip = ({ error }: Reply["body"]) => ({ ...error, request_id: "" });
  const absent = strip((await other.call("GET", "/v1/files/file_000000000000000000000000")).body);
  t.is(absent.code, "resource_not_found");
  for (const method of ["GET", "DELETE"]) {
    const reply = await other.call(method, `/v1/files/${body.id}`);
    t.is(reply.status, 404);
    t.deepEqual(strip(reply.body), absent);
  }
  t.is((await tenant.call("GET", `/v1/files/${body.id}`)).status, 200);
});

test.serial("200 deleted, then 404; the bytes are gone", async (t) => {
  const { body } = await upload(wav(0.1));
  const row = await readFile(harness.postgres.db, tenant.organizationId, body.id);
  const gone = await tenant.call("DELETE", `/v1/files/${body.id}`);
  t.deepEqual(gone.body, { id: body.id, object: "file", deleted: true });
  t.is(await harness.objects.head(row?.objectKey ?? ""), null);
  t.is((await tenant.call("DELETE", `/v1/files/${body.id}`)).status, 404);
});

test.serial("409 resource_in_use: a file that a queued transcript reads", async (t) => {
  const { body } = await upload(wav(0.1));
  const created = await tenant.call("POST", "/v1/transcripts", { json: { file_id: body.id } });
  const refused = await tenant.call("DELETE", `/v1/files/${body.id}`);
  t.is(refused.status, 409);
  t.is(refused.body.error.code, "resource_in_use");
  t.is(refused.headers.get("x-should-retry"), "false");
  t.is((await tenant.call("DELETE", `/v1/transcripts/${created.body.id}`)).status, 200);
  // The worker that claims `transcript.delete` would do it.
  await harness.objects.delete(keys.upload(tenant.organizationId, body.id));
});

test.serial("200: a file of a finished transcript is deleted, and the transcript stays", async (t) => {
  const { body } = await upload(wav(0.1));
  const { id } = (await tenant.call("POST", "/v1/transcripts", { json: { file_id: body.id } })).body;
  await settleTranscript(harness.postgres.db, settlement(id, 100));
  t.is((await tenant.call("DELETE", `/v1/files/${body.id}`)).status, 200);
  t.is((await tenant.call("GET", `/v1/transcripts/${id}`)).body.text, "hello");
});

test.serial("201: zero bytes, and a file without a readable duration", async (t) => {
  const empty = await upload("", "empty.wav");
  t.is(empty.status, 201);
  t.is(empty.body.bytes, 0);
  t.is((await upload(wav(0.001), "short.wav")).status, 201);
  const header = await upload(wav(1).slice(0, 44), "header.wav");
  t.is(header.status, 201);
  const created = await tenant.call("POST", "/v1/transcripts", { json: { file_id: empty.body.id } });
  t.is(created.body.estimated_cost.assumed_seconds, 60);
  t.is(created.body.estimated_cost.eur, 0.0065);
});

for (const [what, content, name] of [
  ["an .mp3 that is a zip", "PK\x03\x04\x14\x00\x00\x00\x08\x00", "song.mp3"],
  ["an .mp3 that is gzip", new Uint8Array(gzipSync("hello")), "song.mp3"],
  ["a playlist named .mp4", "#EXTM3U\n#EXTINF:10,\nhttp://169.254.169.254/latest\n", "video.mp4"],
  ["a text named .wav", "RIFF is not a header", "text.wav"],
  ["HTML", "<!doctype html><p>hello", "page.ogg"],
] as const) {
  test.serial(`415 unsupported_audio_format: ${what}`, async (t) => {
    const { status, body } = await upload(content, name);
    t.is(status, 415);
    t.is(body.error.code, "unsupported_audio_format");
    t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
  });
}

test.serial("400 missing_parameter: another field name, no file, no form at all", async (t) => {
  const cases = [
    () => upload(wav(0.1), "a.wav", "audio/wav", "audio"),
    () => tenant.call("POST", "/v1/files", { body: fields({ purpose: "transcription" }) }),
    () => tenant.call("POST", "/v1/files"),
  ];
  for (const send of cases) {
    const { status, body } = await send();
    t.is(status, 400);
    t.is(body.error.code, "missing_parameter");
    t.is(body.error.param, "file");
  }
  t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
});

function fields(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
}

test.serial("201: other fields beside the file are let be", async (t) => {
  const data = fields({ purpose: "transcription" });
  data.append("file", new File([wav(0.1)], "a.wav"));
  data.append("note", "after");
  t.is((await tenant.call("POST", "/v1/files", { body: data })).status, 201);
});

test.serial("400: two file parts, whatever the second is called", async (t) => {
  for (const second of ["file", "other"]) {
    const data = form(wav(0.1));
    data.append(second, new File([wav(0.1)], "b.wav"));
    const { status, body } = await tenant.call("POST", "/v1/files", { body: data });
    t.is(status, 400);
    t.is(body.error.code, "invalid_parameter");
    t.is(body.error.param, "file");
  }
  t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
});

test.serial("400: Idempotency-Key, before the body is read", async (t) => {
  const { status, text } = await exchange(
    harness.api.url,
    head({ "Content-Length": "1000", "Idempotency-Key": "k", "Content-Type": "multipart/form-data; boundary=B" }),
  );
  t.is(status, 400);
  t.is(JSON.parse(text).error.param, "Idempotency-Key");
});

const head = (headers: Record<string, string>) =>
  `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const FORM_TYPE = { "Content-Type": "multipart/form-data; boundary=B" };
const part = (disposition: string, body: string) =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: audio/wav\r\n\r\n${body}`;
const AUDIO = Buffer.from(wav(0.05)).toString("latin1");

/** A form as bytes, complete or cut, with the length that is claimed or none. */
async function send(body: string, { claimed = body.length, end = false }: { claimed?: number; end?: boolean } = {}) {
  const request = head({ ...FORM_TYPE, "Content-Length": String(claimed) }) + body;
  const { status, text } = await exchange(harness.api.url, Buffer.from(request, "latin1"), { end });
  const parsed = JSON.parse(text);
  return { status, body: parsed, error: parsed.error };
}

test.serial("400: a truncated form, in the part, in its header, without the last boundary", async (t) => {
  const whole = `${part('name="file"; filename="a.wav"', AUDIO)}\r\n--B--\r\n`;
  t.is((await send(whole)).status, 201);
  for (const cut of [30, 80, 500, whole.length - 12]) {
    const { status, error } = await send(whole.slice(0, cut));
    t.is(status, 400, `cut at ${cut}`);
    t.is(error.param, "file");
  }
  t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
});

test.serial("400: a Content-Length that promises more than comes, ended or stalled", async (t) => {
  const body = part('name="file"; filename="a.wav"', AUDIO);
  t.is((await send(body, { claimed: body.length + 5_000, end: true })).status, 400);
  const stalled = await send(body, { claimed: body.length + 5_000 });
  t.is(stalled.status, 400);
  t.is(stalled.error.param, "file");
  t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
});

test.serial("a client that leaves in mid-upload leaves nothing behind", async (t) => {
  const connection = new RawConnection(harness.api.url);
  connection.write(head({ ...FORM_TYPE, "Content-Length": "900000" }) + part('name="file"; filename="a"', "RIFF"));
  while ((await filesIn(harness.scratchDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  connection.destroy();
  while ((await filesIn(harness.scratchDir)).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
});

test.serial("413: over the limit by Content-Length unread, or counted and cut without one", async (t) => {
  const announced = await exchange(
    harness.api.url,
    head({ ...FORM_TYPE, "Content-Length": String(1_000_000 + 65_537) }),
  );
  t.is(announced.status, 413);
  t.is(JSON.parse(announced.text).error.code, "file_too_large");

  const content = AUDIO + "x".repeat(1_000_001 - AUDIO.length);
  for (const [bytes, expected] of [
    [content, 413],
    [content.slice(0, -1), 201],
  ] as const) {
    const body = `${part('name="file"; filename="a.wav"', bytes)}\r\n--B--\r\n`;
    const chunked = `${head({ ...FORM_TYPE, "Transfer-Encoding": "chunked" })}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const { status } = await exchange(harness.api.url, Buffer.from(chunked, "latin1"));
    t.is(status, expected);
  }
  t.deepEqual(await nothingLeft(), { scratch: 0, orphans: [] });
});

test.serial("413: endless fields around a small file", async (t) => {
  const noise = `--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"x".repeat(1_100_000)}\r\n`;
  const chunked = `${head({ ...FORM_TYPE, "Transfer-Encoding": "chunked" })}${noise.length.toString(16)}\r\n${noise}\r\n`;
  t.is((await exchange(harness.api.url, chunked)).status, 413);
});

test.serial("400: what is no multipart form, or has no boundary", async (t) => {
  for (const type of ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"]) {
    const { status, body } = await tenant.call("POST", "/v1/files", {
      body: "file=x",
      headers: { "Content-Type": type },
    });
    t.is(status, 400, type);
    t.is(body.error.param, "Content-Type");
  }
});

test.serial("400: a part whose header is broken by a bare CR is no file part", async (t) => {
  const { status, error } = await send(`${part('name="file"; filename="a\rb.wav"', AUDIO)}\r\n--B--\r\n`);
  t.is(status, 400);
  t.is(error.code, "missing_parameter");
});

for (const [what, sent, stored] of [
  ["CR and LF as browsers write them", "a%0D%0Ab.wav", "ab.wav"],
  ["NUL", "a\0b.wav", "ab.wav"],
  ["two dots", "..", "audio"],
  ["a path upwards", "../../etc/passwd", "passwd"],
  ["a Windows path", "C:\\calls\\a.wav", "a.wav"],
  ["nothing", "", "audio"],
  ["300 characters", `${"ñ".repeat(296)}.wav`, `${"ñ".repeat(251)}.wav`],
] as const) {
  test.serial(`201: a file name with ${what} is cleaned`, async (t) => {
    const quoted = Buffer.from(sent.replaceAll("\\", "\\\\"), "utf8").toString("latin1");
    const { status, body } = await send(`${part(`name="file"; filename="${quoted}"`, AUDIO)}\r\n--B--\r\n`);
    t.is(status, 201);
    t.is(body.filename, stored);
  });
}
