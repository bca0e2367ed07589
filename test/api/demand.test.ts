import test from "ava";
import type { DemandAnswer } from "../../api/demand.ts";
import { recordPlan, recordProgress } from "../../storage/transcripts.ts";
import { type Harness, startHarness } from "./harness.ts";

let harness: Harness;
test.before(async () => {
  harness = await startHarness({ ESCRIBA_DEMAND_TOKEN: "0perator" });
});
test.after.always(() => harness?.stop());

async function ask(path = "/internal/demand", token: string | null = "0perator", method = "GET") {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(new URL(path, harness.api.metricsUrl), { method, headers });
  const text = await response.text();
  return { status: response.status, text, body: (response.ok ? JSON.parse(text) : null) as DemandAnswer };
}

test.serial("demand is asked for with the token only, and not on the port of clients", async (t) => {
  t.is((await ask()).status, 200);
  for (const token of [null, "", "operator"]) t.is((await ask(undefined, token)).status, 401);
  t.is((await ask(undefined, "0perator", "POST")).status, 405);
  const open = await fetch(`${harness.api.url}/internal/demand`, { headers: { Authorization: "Bearer 0perator" } });
  t.is(open.status, 404);
  t.is((await fetch(harness.api.metricsUrl)).status, 200);
});

test.serial("a POST is demand at once, the plan refines it, and its end takes it away", async (t) => {
  const empty = await ask();
  t.deepEqual(empty.body, { version: 1, observedAt: empty.body.observedAt, organizations: [] });
  t.is(new Date(empty.body.observedAt).getTime(), harness.clock.now);

  const [one, two] = [await harness.tenant(), await harness.tenant()];
  const { db } = harness.postgres;
  await db.organization.update({ where: { id: one.organizationId }, data: { speechSlots: 5 } });
  const post = async (tenant: typeof one) =>
    (await tenant.call("POST", "/v1/transcripts", { json: { audio_url: "https://example.com/call.mp3" } })).body.id;
  const [id, other] = [await post(one), await post(two)];
  const { body, text } = await ask();
  t.is(body.organizations.length, 2);
  const own = body.organizations.find(({ speechSlots }) => speechSlots === 5);
  // An hour is assumed of a URL: twelve chunks of five minutes.
  t.like(own?.queues.speech, { outstandingChunks: 12, outstandingSeconds: 3_600 });
  t.like(own?.queues.media, { outstandingChunks: 1, outstandingSeconds: 3_600 });
  t.regex(own?.queues.speech?.waitingSince ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.regex(own?.id ?? "", /^[0-9a-f]{32}$/);
  for (const tenant of [one, two]) t.false(text.includes(tenant.organizationId) || text.includes(tenant.slug));

  await recordPlan(db, id, [{ queue: "speech-short", chunks: 3, ms: 250_500 }]);
  await recordProgress(db, id, { queue: "speech-short", chunks: 1, ms: 90_000 });
  const planned = (await ask()).body.organizations.find(({ speechSlots }) => speechSlots === 5);
  t.is(planned?.id, own?.id);
  t.deepEqual(planned?.queues, {
    "speech-short": { outstandingChunks: 2, outstandingSeconds: 160.5, waitingSince: null },
  });

  await one.call("DELETE", `/v1/transcripts/${id}`);
  await two.call("DELETE", `/v1/transcripts/${other}`);
  t.deepEqual((await ask()).body.organizations, []);
});

test.serial("asked by many at once, all are answered", async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
  t.true(answers.every(({ status, body }) => status === 200 && body.version === 1));
});

test.serial("without a token in the settings there is no such route", async (t) => {
  const closed = await startHarness();
  t.teardown(closed.stop);
  const { status } = await fetch(new URL("/internal/demand", closed.api.metricsUrl), {
    headers: { Authorization: "Bearer " },
  });
  t.is(status, 404);
});

test.serial("a database that cannot answer is a 503, never an empty demand", async (t) => {
  const away = await startHarness({ ESCRIBA_DEMAND_TOKEN: "0perator" });
  const { metricsUrl } = away.api;
  t.teardown(away.stop);
  await away.postgres.db.$executeRaw`ALTER TABLE transcript_work RENAME TO elsewhere`;
  const { status } = await fetch(new URL("/internal/demand", metricsUrl), {
    headers: { Authorization: "Bearer 0perator" },
  });
  t.is(status, 503);
});
