import test from "ava";
import { createApiKey } from "../../storage/api-keys.ts";
import { type Harness, startHarness } from "./harness.ts";

let harness: Harness;
test.before(async () => {
  harness = await startHarness();
});
test.after.always(() => harness?.stop());

test("429 rate_limit_exceeded: request 301 of a minute, with its headers; another key has its own bucket", async (t) => {
  const { call, organizationId } = await harness.tenant();
  const replies = [];
  for (let sent = 0; sent < 330; sent += 30) {
    replies.push(...(await Promise.all(Array.from({ length: 30 }, () => call("GET", "/v1/me")))));
  }
  const allowed = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ status }) => status === 429);
  t.is(allowed.length + refused.length, 330);
  // Leased permits may be lost to a lease's end, never gained.
  t.true(allowed.length <= 300, `${allowed.length} allowed`);
  t.true(allowed.length >= 200, `${allowed.length} allowed`);
  for (const { headers } of allowed) {
    t.is(headers.get("X-RateLimit-Limit"), "300");
    t.is(headers.get("X-RateLimit-Reset"), "0");
    t.regex(headers.get("X-RateLimit-Remaining") ?? "", /^\d+$/);
  }
  for (const { headers, body } of refused) {
    t.is(body.error.code, "rate_limit_exceeded");
    t.is(body.error.type, "rate_limit_error");
    t.is(headers.get("X-RateLimit-Remaining"), "0");
    const retryAfter = Number(headers.get("Retry-After"));
    t.true(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 61, String(retryAfter));
    t.is(headers.get("X-RateLimit-Reset"), headers.get("Retry-After"));
  }
  const { plaintext } = await createApiKey(harness.postgres.db, { organizationId });
  t.is((await call("GET", "/v1/me", { key: plaintext })).status, 200);
});
