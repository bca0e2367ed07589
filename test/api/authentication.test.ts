import test from "ava";
import { KEY_CACHE_MS } from "../../api/key-cache.ts";
import { revokeApiKey } from "../../storage/api-keys.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

let harness: Harness;
let tenant: Tenant;

test.before(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

test("200: /v1/me says organization, key, scopes and default retention", async (t) => {
  const { status, body } = await tenant.call("GET", "/v1/me");
  t.is(status, 200);
  t.is(body.organization.id, tenant.organizationId);
  t.is(body.organization.slug, tenant.slug);
  t.is(body.key.id, tenant.keyId);
  t.is(body.key.environment, "live");
  t.is(body.default_retention, "none");
});

test("200: /v1/balance says the prepaid balance and the cap, which is not enforced", async (t) => {
  const { body } = await tenant.call("GET", "/v1/balance");
  t.deepEqual(body, { balance_eur: 100, currency: "EUR", spend_cap_eur: null, environment: "live" });
  const capped = await harness.tenant();
  const { organizationId: id } = capped;
  await harness.postgres.db.organization.update({ where: { id }, data: { spendCapEur: "0.01" } });
  t.is((await capped.call("GET", "/v1/balance")).body.spend_cap_eur, 0.01);
  const { status } = await capped.call("POST", "/v1/transcripts", { json: { audio_url: "https://example.com/a.wav" } });
  t.is(status, 202, "spend_cap_reached is declared, not emitted");
});

test("200: /v1/models needs no key and asks for none; each model has its type and window", async (t) => {
  const wrong = await tenant.call("GET", "/v1/models", { key: "sk_test_x" });
  t.is(wrong.status, 200);
  const { status, body } = await tenant.call("GET", "/v1/models", { key: null });
  t.is(status, 200);
  t.is(body.object, "list");
  t.deepEqual(
    body.data.map((model: { type: string; context_window: number | null }) => [model.type, model.context_window]),
    [
      ["asr", null],
      ["llm", 250_000],
      ["llm", 256_000],
      ["embedding", 32_000],
    ],
  );
  t.deepEqual(
    body.data.map((model: { id: string }) => model.id),
    ["service-scribe-1", "service-llm-1-large", "service-llm-1-small", "service-embed-1"],
  );
});

test("404: an unknown model, whose name is not repeated", async (t) => {
  const { status, body, text } = await tenant.call("GET", "/v1/models/nobody-1");
  t.is(status, 404);
  t.is(body.error.code, "resource_not_found");
  t.false(text.includes("nobody-1"));
});

test("401 missing_api_key: no header, on every route but the model list", async (t) => {
  for (const path of ["/v1/me", "/v1/balance", "/v1/models/x", "/v1/files/file_x", "/v1/transcripts"]) {
    const { status, body, headers } = await tenant.call("GET", path, { key: null });
    t.is(status, 401, path);
    t.is(body.error.code, "missing_api_key");
    t.is(headers.get("X-RateLimit-Limit"), null);
  }
});

for (const [what, header] of [
  ["a test key", `Bearer sk_test_${"a".repeat(32)}`],
  ["an unknown key", `Bearer sk_live_${"a".repeat(32)}`],
  ["a key that is too short", "Bearer sk_live_abc"],
  ["a key with a strange character", `Bearer sk_live_${"ñ".repeat(16)}`],
  ["another scheme", "Basic dXNlcjpwYXNz"],
  ["a scheme without a key", "Bearer"],
  ["two keys", `Bearer sk_live_${"a".repeat(32)}, sk_live_${"b".repeat(32)}`],
] as const) {
  test(`401 invalid_api_key: ${what}`, async (t) => {
    const { status, body } = await tenant.call("GET", "/v1/me", {
      key: null,
      headers: { Authorization: Buffer.from(header, "utf8").toString("latin1") },
    });
    t.is(status, 401);
    t.is(body.error.code, "invalid_api_key");
  });
}

test("401 revoked_api_key: a revoked key works from the cache for less than 30 s, then no more", async (t) => {
  const { call, keyId } = await harness.tenant();
  t.is((await call("GET", "/v1/me")).status, 200);
  await revokeApiKey(harness.postgres.db, keyId);
  const start = harness.clock.now;
  harness.clock.now = start + KEY_CACHE_MS - 1;
  t.is((await call("GET", "/v1/me")).status, 200);
  harness.clock.now = start + KEY_CACHE_MS;
  const { status, body } = await call("GET", "/v1/me");
  t.is(status, 401);
  t.is(body.error.code, "revoked_api_key");
});

test("403 missing_scope: param names the scope", async (t) => {
  const { call } = await harness.tenant({ scopes: ["transcripts:read"] });
  t.is((await call("GET", "/v1/me")).status, 200);
  t.is((await call("GET", "/v1/transcripts")).status, 200);
  for (const [method, path, scope] of [
    ["GET", "/v1/balance", "usage:read"],
    ["POST", "/v1/files", "files:write"],
    ["GET", "/v1/files/file_x", "files:write"],
    ["DELETE", "/v1/files/file_x", "files:write"],
    ["POST", "/v1/transcripts", "transcripts:write"],
    ["DELETE", "/v1/transcripts/tr_x", "transcripts:write"],
  ] as const) {
    const { status, body } = await call(method, path);
    t.is(status, 403, path);
    t.is(body.error.code, "missing_scope");
    t.is(body.error.param, scope);
  }
  const writer = await harness.tenant({ scopes: ["transcripts:write"] });
  for (const path of ["", "/tr_x", "/tr_x.srt", "/tr_x.vtt", "/tr_x.txt"]) {
    t.is((await writer.call("GET", `/v1/transcripts${path}`)).body.error.param, "transcripts:read");
  }
});

test("order of checks: form, key, address, rate, scope, validation", async (t) => {
  const bad = { headers: { "Content-Type": "application/json" }, body: "{" };
  const none = await harness.tenant({ scopes: [], ipAllowlist: ["192.0.2.1"] });
  t.is((await none.call("POST", "/v1/transcripts", { ...bad, key: "sk_test_x" })).body.error.code, "invalid_api_key");
  t.is((await none.call("POST", "/v1/transcripts", bad)).body.error.param, "ip_allowlist");
  const scopeless = await harness.tenant({ scopes: [] });
  await harness.postgres.db.organization.update({
    where: { id: scopeless.organizationId },
    data: { requestsPerMinute: 1 },
  });
  const first = await scopeless.call("POST", "/v1/transcripts", bad);
  t.is(first.body.error.code, "missing_scope");
  t.is(first.headers.get("X-RateLimit-Remaining"), "0");
  t.is((await scopeless.call("POST", "/v1/transcripts", bad)).body.error.code, "rate_limit_exceeded");
});

test("no log line holds a key, a query or a body", async (t) => {
  await tenant.call("GET", "/v1/transcripts?limit=7");
  await tenant.call("POST", "/v1/transcripts", { json: { file_id: "file_secretive" } });
  t.true(harness.log.text.includes('"route":"/v1/transcripts"'));
  for (const secret of [tenant.key, tenant.key.slice(8), "limit=7", "secretive"]) {
    t.false(harness.log.text.includes(secret), secret);
  }
});
