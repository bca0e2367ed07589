import test from "ava";
import { KEY_CACHE_MS } from "../../api/key-cache.ts";
import { startHarness } from "./harness.ts";

test("503 upstream_unavailable: without the database no key is unlimited and none is unknown", async (t) => {
  const harness = await startHarness();
  try {
    const { call } = await harness.tenant();
    t.is((await call("GET", "/v1/me")).status, 200);
    await harness.postgres.stop();
    // The key is still in the cache; a permit may be left of the lease, but no more than that.
    const cached = await call("GET", "/v1/balance");
    t.is(cached.status, 503);
    t.is(cached.body.error.code, "upstream_unavailable");
    harness.clock.now += KEY_CACHE_MS;
    const { status, body, headers } = await call("GET", "/v1/me");
    t.is(status, 503);
    t.is(body.error.code, "upstream_unavailable");
    t.true(Number(headers.get("Retry-After")) >= 1);
    t.is((await call("GET", "/v1/models", { key: null })).status, 200);
    t.is((await fetch(`${harness.api.url}/livez`)).status, 200);
    t.is((await fetch(`${harness.api.url}/readyz`)).status, 503);
    const ready = await fetch(harness.api.metricsUrl.replace("/metrics", "/readyz"));
    t.is(ready.status, 503);
    t.regex(await ready.text(), /^database: /);
  } finally {
    await harness.stop();
  }
});
