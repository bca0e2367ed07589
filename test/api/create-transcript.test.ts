import test from "ava";
import { newFile } from "../support/organization.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

let harness: Harness;
let tenant: Tenant;
let fileId: string;
test.before(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
  fileId = (await newFile(harness.postgres.db, tenant.organizationId, 61_000)).id;
  // Every case is a request of one key.
  await harness.postgres.db.organization.update({
    where: { id: tenant.organizationId },
    data: { requestsPerMinute: 10_000, inFlightLimit: 1_000 },
  });
});
test.after.always(() => harness?.stop());

const post = (json: object) => tenant.call("POST", "/v1/transcripts", { json });
const read = (id: string) => harness.postgres.db.transcript.findUniqueOrThrow({ where: { id } });

test("202: id, status and an exact estimate for a file; the row and its work order are written", async (t) => {
  const { status, body } = await post({ file_id: fileId });
  t.is(status, 202);
  t.regex(body.id, /^tr_/);
  t.deepEqual(body.estimated_cost, { eur: 0.013, assumed_seconds: 61 });
  const row = await read(body.id);
  t.is(Date.parse(body.estimated_completion) - row.createdAt.getTime(), 6 * 60_000);
  t.is(row.language, null);
  t.is(row.metadata, "{}");
  t.is(row.retention, "none");
  const outbox = await harness.postgres.db.outbox.findMany({ where: { transcriptId: body.id } });
  t.deepEqual(
    outbox.map(({ kind }) => kind),
    ["transcript.start"],
  );
});

test("202: a URL is assumed to last an hour", async (t) => {
  const { status, body } = await post({ audio_url: "https://example.com/call.mp3?sig=1" });
  t.is(status, 202);
  t.deepEqual(body.estimated_cost, { eur: 0.39, assumed_seconds: 3_600 });
  t.is((await read(body.id)).audioUrl, "https://example.com/call.mp3?sig=1");
});

test("202: every field is taken, null means absent, ignored fields take anything", async (t) => {
  const { status, body } = await post({
    file_id: fileId,
    audio_url: null,
    language: "auto",
    language_hints: ["es", "ca"],
    understanding: {
      topic_detection: { taxonomy: "iab" },
      summarization: { format: "headline", context: "x".repeat(1_000) },
      action_items: {},
      sentiment_analysis: { scope: "customer" },
      content_moderation: true,
      profanity_filter: { policy: "mask" },
      pii_redaction: false,
    },
    retention: "30d",
    metadata: { a: null },
    priority: "economy",
    custom_vocabulary: Array.from({ length: 1_000 }, () => "é".repeat(80)),
    speaker_labels: "yes",
    speakers_expected: [2],
    channels: { deep: [[[[]]]] },
    word_timestamps: 0,
    language_confidence_threshold: "high",
    webhook_url: null,
  });
  t.is(status, 202);
  const row = await read(body.id);
  t.is(row.language, null, "auto");
  t.deepEqual(row.languageHints, ["es", "ca"]);
  t.deepEqual(row.understanding, {
    topic_detection: { taxonomy: "iab" },
    summarization: { format: "headline", context: "x".repeat(1_000) },
    action_items: {},
    sentiment_analysis: { scope: "customer" },
    content_moderation: {},
    profanity_filter: { policy: "mask" },
  });
  t.is(row.modules.length, 6);
  t.is(row.priority, "economy");
  t.is(row.retention, "30d");
  t.not(row.expiresAt, null);
  t.is(row.customVocabulary.length, 1_000);
});

test("202: metadata comes back as its own text, on read and in the list", async (t) => {
  const text = '{ "b":1, "a" : [ 12345678901234567890, 1.0, "\\u00e9\\u0000" ],\n "nested": {"metadata": {}} }';
  const { body } = await tenant.call("POST", "/v1/transcripts", {
    body: `{"metadata": ${text} , "file_id": "${fileId}"}`,
    headers: { "Content-Type": "application/json" },
  });
  const single = await tenant.call("GET", `/v1/transcripts/${body.id}`);
  t.true(single.text.includes(`"metadata":${text},`));
  const list = await tenant.call("GET", "/v1/transcripts?limit=100");
  t.true(list.text.includes(`"metadata":${text},`));
});

const INVALID: [what: string, body: object, code: string, param: string | null][] = [
  ["neither source", {}, "invalid_audio_source", null],
  ["both sources", { file_id: "file_x", audio_url: "https://example.com/a.mp3" }, "invalid_audio_source", null],
  ["both sources null", { file_id: null, audio_url: null }, "invalid_audio_source", null],
  ["a file id that is a number", { file_id: 1 }, "invalid_parameter", "file_id"],
  ["a URL of another scheme", { audio_url: "ftp://example.com/a.mp3" }, "invalid_parameter", "audio_url"],
  ["a local file as URL", { audio_url: "file:///etc/passwd" }, "invalid_parameter", "audio_url"],
  ["no URL", { audio_url: "not a url" }, "invalid_parameter", "audio_url"],
  ["a URL without its slashes", { audio_url: "http:example.com/a.mp3" }, "invalid_parameter", "audio_url"],
  ["a URL with a line break", { audio_url: "https://example.com/a\n.mp3" }, "invalid_parameter", "audio_url"],
  ["a URL without a host", { audio_url: "https://" }, "invalid_parameter", "audio_url"],
  ["a URL with a password", { audio_url: "https://a:b@example.com/" }, "invalid_parameter", "audio_url"],
  ["an unknown language", { language: "xx" }, "unsupported_language", "language"],
  ["a language in capitals", { language: "ES" }, "unsupported_language", "language"],
  ["Whisper's own code for Javanese", { language: "jw" }, "unsupported_language", "language"],
  ["a language that is a number", { language: 7 }, "invalid_parameter", "language"],
  ["a hint outside the catalogue", { language_hints: ["es", "zz"] }, "unsupported_language", "language_hints.1"],
  ["auto as a hint", { language_hints: ["auto"] }, "unsupported_language", "language_hints.0"],
  ["eleven hints", { language_hints: Array(11).fill("es") }, "invalid_parameter", "language_hints"],
  ["hints that are no list", { language_hints: "es" }, "invalid_parameter", "language_hints"],
  ["a null among the hints", { language_hints: [null] }, "invalid_parameter", "language_hints.0"],
  ["another retention", { retention: "1y" }, "invalid_parameter", "retention"],
  ["another priority", { priority: "high" }, "invalid_parameter", "priority"],
  ["1,001 terms", { custom_vocabulary: Array(1_001).fill("a") }, "invalid_parameter", "custom_vocabulary"],
  ["a term of 81 characters", { custom_vocabulary: ["a", "b".repeat(81)] }, "invalid_parameter", "custom_vocabulary.1"],
  ["a term with NUL", { custom_vocabulary: ["a\0b"] }, "invalid_parameter", "custom_vocabulary.0"],
  ["half a surrogate pair", { custom_vocabulary: ["\ud800"] }, "invalid_parameter", "custom_vocabulary.0"],
  ["metadata that is a list", { metadata: [] }, "invalid_parameter", "metadata"],
  ["metadata that is text", { metadata: "a" }, "invalid_parameter", "metadata"],
  ["metadata over 16 KB", { metadata: { a: "x".repeat(16_400) } }, "invalid_parameter", "metadata"],
  ["metadata nine deep", { metadata: nest(9) }, "invalid_parameter", "metadata"],
  ["__proto__ in metadata", { metadata: { a: [JSON.parse('{"__proto__": 1}')] } }, "invalid_parameter", "metadata"],
  ["constructor in metadata", { metadata: { constructor: 1 } }, "invalid_parameter", "metadata"],
  ["webhook_url", { webhook_url: "https://example.com" }, "invalid_webhook_url", "webhook_url"],
  ["webhook_auth_header", { webhook_auth_header: "x" }, "invalid_webhook_url", "webhook_auth_header"],
  ["webhook_include_result", { webhook_include_result: false }, "invalid_webhook_url", "webhook_include_result"],
  ["an unknown field", { speaker_count: 2 }, "invalid_parameter", "speaker_count"],
  ["__proto__ as a field", JSON.parse('{"__proto__": {}}'), "invalid_parameter", "__proto__"],
  ["understanding as a list", { understanding: [] }, "invalid_parameter", "understanding"],
  ["an unknown module", { understanding: { emotions: true } }, "invalid_parameter", "understanding.emotions"],
  ["a module as text", { understanding: { action_items: "yes" } }, "invalid_parameter", "understanding.action_items"],
  [
    "an unknown option",
    { understanding: { summarization: { length: 3 } } },
    "invalid_parameter",
    "understanding.summarization.length",
  ],
  [
    "another taxonomy",
    { understanding: { topic_detection: { taxonomy: "mine" } } },
    "invalid_parameter",
    "understanding.topic_detection.taxonomy",
  ],
  [
    "another format",
    { understanding: { summarization: { format: "poem" } } },
    "invalid_parameter",
    "understanding.summarization.format",
  ],
  [
    "a context of 1,001 characters",
    { understanding: { summarization: { context: "x".repeat(1_001) } } },
    "invalid_parameter",
    "understanding.summarization.context",
  ],
  [
    "another policy",
    { understanding: { pii_redaction: { policy: "hash" } } },
    "invalid_parameter",
    "understanding.pii_redaction.policy",
  ],
  [
    "sentiment of the agent",
    { understanding: { sentiment_analysis: { scope: "agent" } } },
    "sentiment_scope_not_permitted",
    "understanding.sentiment_analysis.scope",
  ],
];

function nest(depth: number): object {
  return depth === 1 ? {} : { a: nest(depth - 1) };
}

for (const [what, fields, code, param] of INVALID) {
  test(`400 ${code}: ${what}`, async (t) => {
    const complete = "file_id" in fields || "audio_url" in fields || code === "invalid_audio_source";
    const { status, body } = await post(complete ? fields : { file_id: fileId, ...fields });
    t.is(status, 400);
    t.is(body.error.code, code);
    t.is(body.error.param, param);
  });
}

test("202: metadata of exactly 16 KB, and eight levels deep", async (t) => {
  const text = `{"a":"${"x".repeat(16 * 1024 - 8)}"}`;
  const headers = { "Content-Type": "application/json" };
  const body = (metadata: string) => `{"file_id":"${fileId}","metadata":${metadata}}`;
  t.is((await tenant.call("POST", "/v1/transcripts", { body: body(text), headers })).status, 202);
  t.is((await tenant.call("POST", "/v1/transcripts", { body: body(text.replace("x", "xx")), headers })).status, 400);
  t.is((await post({ file_id: fileId, metadata: nest(8) })).status, 202);
});

test("202: 80 characters are characters, not UTF-16 units", async (t) => {
  t.is((await post({ file_id: fileId, custom_vocabulary: ["😀".repeat(80)] })).status, 202);
});

test("400 audio_duration_exceeded: a file over ten hours", async (t) => {
  const long = await newFile(harness.postgres.db, tenant.organizationId, 36_000_001);
  const { status, body } = await post({ file_id: long.id });
  t.is(status, 400);
  t.is(body.error.code, "audio_duration_exceeded");
  const exact = await newFile(harness.postgres.db, tenant.organizationId, 36_000_000);
  t.is((await post({ file_id: exact.id })).status, 202);
});

test("404: a file that is not there, not an id, or another organization's", async (t) => {
  const other = await harness.tenant();
  const theirs = await newFile(harness.postgres.db, other.organizationId, 1_000);
  for (const id of ["file_0", "", "../..", "file_\0", theirs.id]) {
    const { status, body } = await post({ file_id: id });
    t.is(status, 404, id);
    t.is(body.error.code, "resource_not_found");
    t.is(body.error.param, "file_id");
  }
});

test("402 insufficient_credit: nothing is written; zero balance too", async (t) => {
  for (const credit of ["0", "0.01"]) {
    const poor = await harness.tenant({ credit });
    const file = await newFile(harness.postgres.db, poor.organizationId, 61_000);
    const { status, body } = await poor.call("POST", "/v1/transcripts", { json: { file_id: file.id } });
    t.is(status, 402);
    t.is(body.error.code, "insufficient_credit");
    t.is(await harness.postgres.db.transcript.count({ where: { organizationId: poor.organizationId } }), 0);
    t.is((await poor.call("GET", "/v1/balance")).body.balance_eur, Number(credit));
  }
});

test("429 concurrency_limit_exceeded: number 33 in flight, before credit is looked at; a delete frees its place", async (t) => {
  const busy = await harness.tenant({ credit: "0.208" }); // 32 times one minute
  const file = await newFile(harness.postgres.db, busy.organizationId, 1_000);
  const create = () => busy.call("POST", "/v1/transcripts", { json: { file_id: file.id } });
  const replies = await Promise.all(Array.from({ length: 34 }, create));
  t.is(replies.filter(({ status }) => status === 202).length, 32);
  for (const { headers, body } of replies.filter(({ status }) => status !== 202)) {
    t.is(body.error.code, "concurrency_limit_exceeded");
    t.is(headers.get("Retry-After"), "30");
    t.is(headers.get("X-RateLimit-Reset"), "30");
  }
  const { data } = (await busy.call("GET", "/v1/transcripts?limit=1")).body;
  await busy.call("DELETE", `/v1/transcripts/${data[0].id}`);
  const again = await newFile(harness.postgres.db, busy.organizationId, 1_000);
  t.is((await busy.call("POST", "/v1/transcripts", { json: { file_id: again.id } })).status, 202);
});
