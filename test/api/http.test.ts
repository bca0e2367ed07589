import test from "ava";
import { MAX_JSON_BYTES } from "../../api/json-body.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";
import { exchange, RawConnection } from "./raw.ts";

let harness: Harness;
let tenant: Tenant;
test.before(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

const raw = (text: string, options?: { end?: boolean }) => exchange(harness.api.url, text, options);
const post = (headers: string, body = "") =>
  `POST /v1/transcripts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n${headers}\r\n\r\n${body}`;

for (const [what, request] of [
  ["no HTTP at all", "hello\r\n\r\n"],
  ["an unknown method", "BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["a header without a colon", "GET /v1/me HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n"],
  ["a negative Content-Length", "POST /v1/transcripts HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"],
  ["two different lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["headers over 16 KB", `GET /v1/me HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`],
] as const) {
  test(`400 invalid_parameter: ${what} has an id too`, async (t) => {
    const { status, headers, text } = await raw(request);
    t.is(status, 400);
    const { error } = JSON.parse(text);
    t.is(error.code, "invalid_parameter");
    t.is(error.param, null);
    t.regex(error.request_id, /^req_/);
    t.is(headers["service-request-id"], error.request_id);
    t.is(headers["x-request-id"], error.request_id);
  });
}

test("401: a request without Host is answered by us, with an id", async (t) => {
  const { status, headers } = await raw("GET /v1/me HTTP/1.1\r\n\r\n");
  t.is(status, 401);
  t.regex(headers["service-request-id"] ?? "", /^req_/);
});

for (const [what, body] of [
  ["malformed JSON", '{"file_id": '],
  ["nothing", ""],
  ["two values", "{} {}"],
  ["a trailing comma", '{"a":1,}'],
] as const) {
  test(`400 invalid_parameter with param null: a body of ${what}`, async (t) => {
    const reply = await tenant.call("POST", "/v1/transcripts", {
      body,
      headers: { "Content-Type": "application/json" },
    });
    t.is(reply.status, 400);
    t.is(reply.body.error.code, "invalid_parameter");
    t.is(reply.body.error.param, null);
  });
}

for (const body of ["[]", '"text"', "1", "null", "true"]) {
  test(`400 invalid_parameter: the body ${body}`, async (t) => {
    const reply = await tenant.call("POST", "/v1/transcripts", {
      body,
      headers: { "Content-Type": "application/json" },
    });
    t.is(reply.status, 400);
    t.is(reply.body.error.code, "invalid_parameter");
    t.is(reply.body.error.param, null);
  });
}

test("400: a body that is not UTF-8", async (t) => {
  const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  const reply = await tenant.call("POST", "/v1/transcripts", { body, headers: { "Content-Type": "application/json" } });
  t.is(reply.status, 400);
  t.is(reply.body.error.param, null);
});

for (const [header, value] of [
  ["Content-Type", "text/plain"],
  ["Content-Type", "application/x-www-form-urlencoded"],
  ["Content-Type", "application/json; charset=latin1"],
  ["Content-Encoding", "gzip"],
] as const) {
  test(`400: ${header} ${value}`, async (t) => {
    const headers = { "Content-Type": "application/json", [header]: value };
    const reply = await tenant.call("POST", "/v1/transcripts", { body: "{}", headers });
    t.is(reply.status, 400);
    t.is(reply.body.error.param, header);
  });
}

test("400: truncated chunked body, and one whose framing is wrong", async (t) => {
  const chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
  t.is((await raw(post(chunked, '5\r\n{"a":\r\n'), { end: true })).status, 400);
  t.is((await raw(post(chunked, "zz\r\n"))).status, 400);
});

test("400: a connection that ends before its Content-Length", async (t) => {
  const { status, text } = await raw(post("Content-Type: application/json\r\nContent-Length: 500", '{"file_id":'), {
    end: true,
  });
  t.is(status, 400);
  t.is(JSON.parse(text).error.code, "invalid_parameter");
});

test("a Content-Length that is too short: the body is judged, what follows is another request", async (t) => {
  const connection = new RawConnection(harness.api.url);
  connection.write(post("Content-Type: application/json\r\nContent-Length: 5", '{"file_id":"file_x"}'));
  const { status, text } = await connection.reply();
  connection.destroy();
  t.is(status, 400);
  t.is(JSON.parse(text).error.code, "invalid_parameter");
});

test("413: JSON over 4 MB, from Content-Length unread, or once counted", async (t) => {
  const announced = await raw(post(`Content-Type: application/json\r\nContent-Length: ${MAX_JSON_BYTES + 1}`));
  t.is(announced.status, 413);
  t.is(JSON.parse(announced.text).error.code, "file_too_large");
  const size = MAX_JSON_BYTES + 10;
  const counted = await raw(
    post(
      "Content-Type: application/json\r\nTransfer-Encoding: chunked",
      `${size.toString(16)}\r\n${" ".repeat(size)}\r\n0\r\n\r\n`,
    ),
  );
  t.is(counted.status, 413);
});

test("100 Continue is said only when the body is wanted", async (t) => {
  const asking = "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue";
  const refused = new RawConnection(harness.api.url);
  refused.write(post(asking).replace(tenant.key, `sk_live_${"b".repeat(32)}`));
  t.is((await refused.reply()).status, 401);
  refused.destroy();
  const wanted = new RawConnection(harness.api.url);
  const first = new Promise<string>((resolve) => wanted.socket.once("data", (data) => resolve(String(data))));
  wanted.write(post(asking));
  t.regex(await first, /^HTTP\/1.1 100 /);
  wanted.write("{}");
  t.is(JSON.parse((await wanted.reply()).text).error.code, "invalid_audio_source");
  wanted.destroy();
});

test("404 and 405 know their routes; 405 says Allow", async (t) => {
  t.is((await tenant.call("GET", "/v1/nothing", { key: null })).body.error.code, "resource_not_found");
  t.is((await tenant.call("GET", "/", { key: null })).status, 404);
  for (const near of ["/V1/me", "/v1/ME", "/v1/me/", "//v1/me", "/v1/transcripts/"]) {
    t.is((await tenant.call("GET", near)).status, 404, near);
  }
  const wrong = await tenant.call("PUT", "/v1/transcripts", { key: null });
  t.is(wrong.status, 405);
  t.is(wrong.headers.get("Allow"), "GET, HEAD, POST");
  t.is(wrong.body.error.code, "resource_not_found");
  const subtitles = await tenant.call("POST", "/v1/transcripts/tr_x.srt", { key: null });
  t.is(subtitles.status, 405);
  t.is(subtitles.headers.get("Allow"), "GET, HEAD");
  t.is((await tenant.call("GET", "/v1/files/%zz")).status, 404);
  t.is((await tenant.call("GET", "/v1/files/file_%00")).status, 404);
  t.is((await tenant.call("GET", "/v1/transcripts/tr_%00.srt")).status, 404);
});

test("HEAD answers as GET does, without a body", async (t) => {
  const { status, text, headers } = await tenant.call("HEAD", "/v1/me");
  t.is(status, 200);
  t.is(text, "");
  t.true(Number(headers.get("Content-Length")) > 100);
});

test("metrics are on a port of their own, by route template", async (t) => {
  await tenant.call("GET", "/v1/files/file_abc");
  const metrics = await (await fetch(harness.api.metricsUrl)).text();
  t.regex(metrics, /escriba_http_request_duration_seconds_count\{.*route="\/v1\/files\/\{id\}".*status="404".*\} \d/);
  t.regex(metrics, /escriba_http_errors_total\{.*code="resource_not_found"/);
  t.false(metrics.includes("file_abc"));
  t.is((await tenant.call("GET", "/metrics", { key: null })).status, 404);
});

test("bytes after a whole request take nothing from its answer: what was created is said", async (t) => {
  const { key, call } = await harness.tenant();
  const json = JSON.stringify({ audio_url: "https://example.com/a.wav" });
  const reply = await exchange(
    harness.api.url,
    `POST /v1/transcripts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Length: ${json.length}\r\n\r\n${json}}}}} and more`,
  );
  t.is(reply.status, 202);
  t.is((await call("GET", "/v1/transcripts")).body.data[0].id, JSON.parse(reply.text).id);
});
