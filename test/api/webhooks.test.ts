import anyTest, { type TestFn } from "ava";
import { readPending, recordAttempt } from "../../webhooks/deliveries.ts";
import { EVENT_NAMES } from "../../webhooks/events.ts";
import { emit, relayed } from "../support/events.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

const test = anyTest as TestFn<Harness>;
test.before(async (t) => {
  t.context = await startHarness();
});
test.after.always((t) => t.context.stop?.());

const WANTED = { url: "https://example.com/escriba?x=1", events: ["transcript.completed", "credit.low"] };
const register = async (tenant: Tenant, json: object = WANTED) => {
  const { body } = await tenant.call("POST", "/v1/webhooks", { json });
  return body;
};

test("201: the record with its secret once; the list shows it without, newest first", async (t) => {
  const tenant = await t.context.tenant();
  const created = await tenant.call("POST", "/v1/webhooks", { json: WANTED });
  t.is(created.status, 201);
  const { secret, ...record } = created.body;
  t.regex(secret, /^whsec_[0-9A-Za-z]{32}$/);
  t.regex(record.id, /^wh_[0-9A-Za-z]{24}$/);
  t.like(record, { object: "webhook", ...WANTED, status: "enabled", consecutive_failures: 0, disabled_at: null });
  const second = await register(tenant, { url: "https://example.com/", events: ["credit.low", "credit.low"] });
  t.deepEqual(second.events, ["credit.low"]);
  const { body } = await tenant.call("GET", "/v1/webhooks");
  t.deepEqual(body, { object: "list", data: [{ ...second, secret: undefined }, record].map(withoutSecret) });
  t.false(t.context.log.text.includes(secret));
});

const withoutSecret = ({ secret: _, ...record }: Record<string, unknown>) => record;

test("only https is taken: invalid_webhook_url; private addresses are judged at delivery", async (t) => {
  const tenant = await t.context.tenant();
  for (const url of ["http://example.com/", "ftp://example.com/", "example.com", "", "https://", "https://u:p@a.es/"]) {
    const { status, body } = await tenant.call("POST", "/v1/webhooks", { json: { ...WANTED, url } });
    t.is(status, 400, url);
    t.like(body.error, { code: "invalid_webhook_url", param: "url" }, url);
  }
  for (const url of ["HTTPS://Example.com", "https://10.0.0.1/", "https://localhost:8443/x", "https://ñandú.es/"]) {
    t.is((await tenant.call("POST", "/v1/webhooks", { json: { ...WANTED, url } })).status, 201, url);
  }
});

test("400: events are not empty and of the six names, all of which are taken", async (t) => {
  const tenant = await t.context.tenant();
  t.is((await tenant.call("POST", "/v1/webhooks", { json: { ...WANTED, events: EVENT_NAMES } })).status, 201);
  for (const [json, code, param] of [
    [{ ...WANTED, events: [] }, "invalid_parameter", "events"],
    [{ ...WANTED, events: ["transcript.started"] }, "invalid_parameter", "events.0"],
    [{ ...WANTED, events: "credit.low" }, "invalid_parameter", "events"],
    [{ ...WANTED, secret: "whsec_mine" }, "invalid_parameter", "secret"],
    [{ ...WANTED, url: 1 }, "invalid_parameter", "url"],
    [{ ...WANTED, url: `https://a.es/${"x".repeat(2_048)}` }, "invalid_parameter", "url"],
    [{ events: WANTED.events }, "missing_parameter", "url"],
    [{ url: WANTED.url }, "missing_parameter", "events"],
  ] as const) {
    const { status, body } = await tenant.call("POST", "/v1/webhooks", { json });
    t.is(status, 400, JSON.stringify(json));
    t.like(body.error, { code, param });
  }
});

test("400: an organization has at most twenty", async (t) => {
  const tenant = await t.context.tenant();
  for (let count = 0; count < 20; count++) await register(tenant);
  const { status, body } = await tenant.call("POST", "/v1/webhooks", { json: WANTED });
  t.is(status, 400);
  t.like(body.error, { code: "invalid_parameter", param: null });
  t.regex(body.error.message, /20 webhooks/);
});

test("403: every route needs transcripts:write", async (t) => {
  const tenant = await t.context.tenant({ scopes: ["transcripts:read"] });
  for (const [method, path] of [
    ["POST", "/v1/webhooks"],
    ["GET", "/v1/webhooks"],
    ["POST", "/v1/webhooks/wh_x/enable"],
    ["DELETE", "/v1/webhooks/wh_x"],
    ["GET", "/v1/webhooks/wh_x/deliveries"],
  ] as const) {
    const { status, body } = await tenant.call(method, path, method === "POST" ? { json: WANTED } : {});
    t.is(status, 403);
    t.like(body.error, { code: "missing_scope", param: "transcripts:write" });
  }
});

test("404: of another organization, unknown, or of the wrong form, on every route with an id", async (t) => {
  const [owner, other] = [await t.context.tenant(), await t.context.tenant()];
  const { id } = await register(owner);
  for (const name of [id, "wh_unknown", "tr_1", "wh_%00"]) {
    for (const [method, path] of [
      ["POST", `/v1/webhooks/${name}/enable`],
      ["DELETE", `/v1/webhooks/${name}`],
      ["GET", `/v1/webhooks/${name}/deliveries`],
    ] as const) {
      const { status, body } = await other.call(method, path);
      t.is(status, 404, path);
      t.is(body.error.code, "resource_not_found");
    }
  }
  t.is((await owner.call("GET", "/v1/webhooks")).body.data.length, 1);
});

test("200: delete says so once, then 404; enable of a deleted one is 404 too", async (t) => {
  const tenant = await t.context.tenant();
  const { id } = await register(tenant);
  t.deepEqual((await tenant.call("DELETE", `/v1/webhooks/${id}`)).body, { id, object: "webhook", deleted: true });
  for (const [method, path] of [
    ["DELETE", `/v1/webhooks/${id}`],
    ["POST", `/v1/webhooks/${id}/enable`],
    ["GET", `/v1/webhooks/${id}/deliveries`],
  ] as const) {
    t.is((await tenant.call(method, path)).status, 404);
  }
  t.deepEqual((await tenant.call("GET", "/v1/webhooks")).body.data, []);
});

test("200: enable resets the failures of a disabled endpoint, and of one that is enabled", async (t) => {
  const tenant = await t.context.tenant();
  const { id } = await register(tenant);
  const { db } = t.context.postgres;
  for (const data of [
    { status: "disabled", disabledAt: new Date("2026-11-21T10:00:00.123Z"), consecutiveFailures: 5 },
    { consecutiveFailures: 3 },
  ]) {
    await db.webhook.update({ where: { id }, data });
    const [listed] = (await tenant.call("GET", "/v1/webhooks")).body.data;
    t.is(listed.consecutive_failures, data.consecutiveFailures);
    if (data.disabledAt) t.like(listed, { status: "disabled", disabled_at: "2026-11-21T10:00:00.123Z" });
    const { status, body } = await tenant.call("POST", `/v1/webhooks/${id}/enable`);
    t.is(status, 200);
    t.like(body, { id, status: "enabled", consecutive_failures: 0, disabled_at: null });
    t.false("secret" in body);
  }
});

test("the history lists attempts, pending ones with when they are due, in pages", async (t) => {
  const tenant = await t.context.tenant();
  const { id } = await register(tenant);
  const { db } = t.context.postgres;
  const eventId = await emit(db, tenant.organizationId, "credit.low");
  await relayed(db, eventId);
  const path = `/v1/webhooks/${id}/deliveries`;
  const [first] = (await tenant.call("GET", path)).body.data;
  t.like(first, { event_id: eventId, event: "credit.low", attempt: 1, status: "pending", attempted_at: null });
  t.truthy(first.next_attempt_at);
  const pending = await readPending(db, { webhookId: id, eventId });
  if (!pending) return t.fail();
  const failed = { status: "failed", responseStatus: 503, error: "http_status" } as const;
  await recordAttempt(db, { webhookId: id, eventId }, pending, failed);
  const page = (await tenant.call("GET", `${path}?limit=1`)).body;
  t.like(page, { object: "list", has_more: true });
  t.like(page.data[0], { attempt: 2, status: "pending", response_status: null, error: null });
  const rest = (await tenant.call("GET", `${path}?limit=1&before=${encodeURIComponent(page.next_before)}`)).body;
  t.like(rest, { has_more: false, next_before: null });
  t.like(rest.data[0], {
    id: first.id,
    attempt: 1,
    status: "failed",
    response_status: 503,
    error: "http_status",
    next_attempt_at: null,
  });
  for (const query of ["limit=0", "limit=101", "before=yesterday", "status=failed"]) {
    const { status, body } = await tenant.call("GET", `${path}?${query}`);
    t.is(status, 400);
    t.is(body.error.param, query.split("=")[0]);
  }
});
