import test from "ava";
import { readConfig } from "../../api/config.ts";
import { SettingsError } from "../../process/settings.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

const ORIGIN = "https://panel.example.com";
let harness: Harness;
let tenant: Tenant;
test.before(async () => {
  harness = await startHarness({
    ESCRIBA_CORS_ORIGIN: ORIGIN,
    ESCRIBA_TRUSTED_PROXIES: "127.0.0.1, ::1, 10.0.0.0/8",
  });
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

const preflight = (origin: string, path = "/v1/transcripts") =>
  fetch(harness.api.url + path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
    },
  });

test("403 missing_scope with param ip_allowlist: an address outside the key's list, whatever it claims", async (t) => {
  const { call } = await harness.tenant({ ipAllowlist: ["203.0.113.0/24", "2001:db8::/32", "::ffff:192.0.2.1"] });
  const from = (address: string) => call("GET", "/v1/me", { headers: { "X-Forwarded-For": address } });
  for (const address of [
    ...["203.0.113.9", "2001:db8::7", "::ffff:203.0.113.9", "192.0.2.1"],
    ...["203.0.113.9, 10.1.2.3", "6.6.6.6, 203.0.113.9, 10.1.2.3", "203.0.113.9:4711"],
  ]) {
    t.is((await from(address)).status, 200, address);
  }
  for (const address of [
    ...["203.0.114.1", "203.0.113.9, 198.51.100.1", "203.0.113.9, 198.51.100.1, 10.1.2.3"],
    ...["not an address", "", "3405803785", "203.0.113.9, unknown"],
  ]) {
    const { status, body } = await from(address);
    t.is(status, 403, address);
    t.is(body.error.code, "missing_scope");
    t.is(body.error.param, "ip_allowlist");
  }
});

test("one origin is answered across origins: preflight, answers and errors, with the headers it may read", async (t) => {
  const allowed = await preflight(ORIGIN);
  t.is(allowed.status, 204);
  t.is(allowed.headers.get("Access-Control-Allow-Origin"), ORIGIN);
  for (const method of ["GET", "POST", "DELETE"]) {
    t.regex(allowed.headers.get("Access-Control-Allow-Methods") ?? "", new RegExp(method));
  }
  for (const header of ["Authorization", "Content-Type", "Idempotency-Key"]) {
    t.regex(allowed.headers.get("Access-Control-Allow-Headers") ?? "", new RegExp(header));
  }
  t.is(allowed.headers.get("Access-Control-Allow-Credentials"), null);
  for (const key of [tenant.key, null, "sk_test_x"]) {
    const { headers } = await tenant.call("GET", "/v1/me", { key, headers: { Origin: ORIGIN } });
    t.is(headers.get("Access-Control-Allow-Origin"), ORIGIN);
    const exposed = headers.get("Access-Control-Expose-Headers") ?? "";
    for (const name of ["Service-Request-Id", "X-RateLimit-Remaining", "Retry-After", "Idempotency-Replayed"]) {
      t.regex(exposed, new RegExp(name));
    }
  }
});

test("no other origin is: not one that looks like it, not null, and a cache is told that it matters", async (t) => {
  for (const origin of ["https://evil.example", `${ORIGIN}.evil.example`, "http://panel.example.com", "null"]) {
    const refused = await preflight(origin);
    t.is(refused.status, 405, origin);
    t.is(refused.headers.get("Access-Control-Allow-Origin"), null);
    const { status, headers } = await tenant.call("GET", "/v1/me", { headers: { Origin: origin } });
    t.is(status, 200);
    t.is(headers.get("Access-Control-Allow-Origin"), null);
    t.is(headers.get("Vary"), "Origin");
  }
});

test("the origin is one: a path, a slash, a list or a star is refused when the API starts", (t) => {
  const others = {
    ESCRIBA_DATABASE_URL: "x",
    ESCRIBA_OBJECT_STORE: "x",
    ESCRIBA_SECRETS_KEY: Buffer.alloc(32).toString("base64"),
  };
  const read = (origin: string) => readConfig({ ...others, ESCRIBA_CORS_ORIGIN: origin });
  t.is(read(ORIGIN).ESCRIBA_CORS_ORIGIN, ORIGIN);
  t.is(read("").ESCRIBA_CORS_ORIGIN, "");
  for (const origin of ["*", `${ORIGIN}/`, `${ORIGIN}, https://b.example`, "panel.example.com", `${ORIGIN}/login`]) {
    t.throws(() => read(origin), { instanceOf: SettingsError, message: /ESCRIBA_CORS_ORIGIN/ }, origin);
  }
});
