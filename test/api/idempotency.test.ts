import test from "ava";
import fc from "fast-check";
import { canonicalJson } from "../../api/canonical-json.ts";
import { memberText } from "../../api/metadata.ts";
import { newFile } from "../support/organization.ts";
import { type Harness, type Reply, startHarness, type Tenant } from "./harness.ts";

let harness: Harness;
let tenant: Tenant;
let fileId: string;
test.before(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
  fileId = (await newFile(harness.postgres.db, tenant.organizationId, 1_000)).id;
});
test.after.always(() => harness?.stop());

const send = (key: string, body: string, who = tenant) =>
  who.call("POST", "/v1/transcripts", {
    body,
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
  });

test("202 replayed: the same key and body give the first answer, a fresh id, even after a delete", async (t) => {
  const file = await newFile(harness.postgres.db, tenant.organizationId, 1_000);
  const first = await send("a", `{"file_id":"${file.id}","language":"es"}`);
  t.is(first.status, 202);
  t.is(first.headers.get("Idempotency-Replayed"), null);
  const second = await send("a", `{ "language" : "es",\n"file_id" : "${file.id}" }`);
  t.is(second.status, 202);
  t.is(second.headers.get("Idempotency-Replayed"), "true");
  t.deepEqual(second.body, first.body);
  t.not(second.headers.get("Service-Request-Id"), first.headers.get("Service-Request-Id"));
  const left = (reply: Reply) => Number(reply.headers.get("X-RateLimit-Remaining"));
  t.true(left(second) < left(first), "a replay counts in the rate limit");
  await tenant.call("DELETE", `/v1/transcripts/${first.body.id}`);
  const third = await send("a", `{"file_id":"${file.id}","language":"es"}`);
  t.is(third.headers.get("Idempotency-Replayed"), "true");
  t.deepEqual(third.body, first.body);
});

test("409 idempotency_key_reused: the same key, another body", async (t) => {
  t.is((await send("b", `{"audio_url":"https://example.com/1"}`)).status, 202);
  const { status, body, headers } = await send("b", `{"audio_url":"https://example.com/2"}`);
  t.is(status, 409);
  t.is(body.error.code, "idempotency_key_reused");
  t.is(headers.get("x-should-retry"), "false");
});

test("without the header the same body makes and bills a second transcript", async (t) => {
  const json = { file_id: (await newFile(harness.postgres.db, tenant.organizationId, 1_000)).id };
  const [one, two] = [1, 2].map(() => tenant.call("POST", "/v1/transcripts", { json }));
  t.not((await one)?.body.id, (await two)?.body.id);
});

test("another organization's key of the same name is another key", async (t) => {
  const other = await harness.tenant();
  const body = `{"audio_url":"https://example.com/3"}`;
  const [ours, theirs] = [await send("c", body), await send("c", body, other)];
  t.is(theirs.headers.get("Idempotency-Replayed"), null);
  t.not(theirs.body.id, ours.body.id);
});

test("a refused request frees its key", async (t) => {
  const poor = await harness.tenant({ credit: "0" });
  const body = `{"audio_url":"https://example.com/4"}`;
  t.is((await send("d", body, poor)).status, 402);
  const { status } = await send("d", `{"audio_url":"https://example.com/5"}`, poor);
  t.is(status, 402);
});

test("50 requests at once with one key: one transcript, 49 replays", async (t) => {
  const crowd = await harness.tenant();
  const body = `{"audio_url":"https://example.com/6"}`;
  const replies = await Promise.all(Array.from({ length: 50 }, () => send("e", body, crowd)));
  t.deepEqual(new Set(replies.map(({ status }) => status)), new Set([202]));
  t.is(new Set(replies.map((reply) => reply.body.id)).size, 1);
  t.is(replies.filter(({ headers }) => headers.get("Idempotency-Replayed") === "true").length, 49);
  t.is(await harness.postgres.db.transcript.count({ where: { organizationId: crowd.organizationId } }), 1);
  t.is((await crowd.call("GET", "/v1/balance")).body.balance_eur, 100);
});

for (const [what, key] of [
  ["nothing", ""],
  ["a space", "a b"],
  ["256 characters", "k".repeat(256)],
  ["a letter outside ASCII", "é"],
] as const) {
  test(`400: an Idempotency-Key of ${what}`, async (t) => {
    const { status, body } = await send(key, `{"file_id":"${fileId}"}`);
    t.is(status, 400);
    t.is(body.error.param, "Idempotency-Key");
  });
}

test("a body nested deeper than any stack, and one of a million values, are bodies like any other", async (t) => {
  const deep = `${"[1,".repeat(200_000)}1${"]".repeat(200_000)}`;
  for (const [key, channels] of [
    ["f", deep],
    ["g", `[${"1,".repeat(1_000_000)}1]`],
  ] as const) {
    const body = `{"audio_url":"https://example.com/${key}","channels":${channels}}`;
    const first = await send(key, body);
    t.is(first.status, 202);
    t.deepEqual((await send(key, `${body} `)).body, first.body);
    t.is((await send(key, body.replace("1", "2"))).status, 409);
  }
});

test("canonical JSON: order and white space do not matter, values do, large integers included", (t) => {
  t.is(canonicalJson('{"b":[1, 2],"a":"x"}'), canonicalJson('{ "a" : "x", "b" : [1,2] }'));
  t.not(canonicalJson('{"a":12345678901234567890}'), canonicalJson('{"a":12345678901234567891}'));
  t.not(canonicalJson("[1,2]"), canonicalJson("[2,1]"));
  t.is(canonicalJson('{"\\u0061":"\\/","n":1,"n":2}'), canonicalJson('{"n":2,"a":"/"}'));
  t.not(canonicalJson('["1"]'), canonicalJson("[1]"));
  t.is(canonicalJson(' [ -1.5E+2 , true,null,"" , {} , [] ] '), '[-1.5E+2,true,null,"",{},[]]');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      t.deepEqual(JSON.parse(canonicalJson(JSON.stringify(value))), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("a member's text is cut exactly, wherever it stands", (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(2), (others, value, spaces) => {
      const object = { ...others, metadata: value };
      const text = memberText(JSON.stringify(object, null, spaces), "metadata");
      t.deepEqual(JSON.parse(text ?? ""), JSON.parse(JSON.stringify(value)));
      t.is(text, text?.trim());
    }),
  );
  t.is(memberText('{"a":{"metadata":1}}', "metadata"), undefined);
  t.is(memberText('{"metad\\u0061ta": [ {} ] , "b":1}', "metadata"), "[ {} ]");
  t.is(memberText('{"metadata":1,"metadata":"a,}"}', "metadata"), '"a,}"');
});
