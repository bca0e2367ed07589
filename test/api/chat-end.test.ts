import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import type { Database } from "../../storage/database.ts";
import { begins, chunk, DONE, fails, hangs, says, usage } from "../upstream/double.ts";
import { HandClock } from "../upstream/hand-clock.ts";
import { billOf, endedBill, hello, openStream, post, readStream, startChatHarness, UNBILLED } from "./chat-harness.ts";

test("a draining API lets a stream finish, and bills it", async (t) => {
  const harness = await startChatHarness();
  const tenant = await harness.tenant();
  harness.double.answer(begins("uno"));
  const open = await openStream(harness.api.url, tenant, hello());
  await open.events.next();
  const closed = harness.api.close();
  await sleep(50);
  const { response } = await harness.double.arrived(1);
  response.end(chunk({ content: " dos" }) + chunk({}, "stop") + usage(7, 2) + DONE);
  const { done, text } = await readStream(open);
  t.true(done);
  t.is(text, " dos");
  await closed;
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 7, completion: 2 });
  await harness.stop();
});

test("what outlives the grace is ended by us: [DONE] without a finish_reason, 503 for a whole answer, nothing billed", async (t) => {
  const harness = await startChatHarness({}, {}, { ESCRIBA_GRACE_SECONDS: "0.2" });
  const [streaming, waiting, keyed] = [await harness.tenant(), await harness.tenant(), await harness.tenant()];
  harness.double.answer(begins("uno"));
  const open = await openStream(harness.api.url, streaming, hello());
  await open.events.next();
  const whole = post(waiting, hello());
  const kept = post(keyed, hello(), { "Idempotency-Key": "k" });
  const seen = await harness.double.arrived(3);
  const closed = harness.api.close();
  const { chunks, done } = await readStream(open);
  t.true(done);
  t.deepEqual(chunks, []);
  t.is((await whole).status, 503);
  t.is((await kept).status, 503);
  await closed;
  await seen.closed;
  for (const tenant of [streaming, waiting, keyed]) t.like(await endedBill(harness, tenant), UNBILLED);
  t.is(await harness.postgres.db.idempotencyKey.count(), 0);
  await harness.stop();
});

/** The next `times` charges fail as on a database that is restarted. */
async function failCharges(db: Database, times: number): Promise<void> {
  await db.$executeRawUnsafe("CREATE SEQUENCE IF NOT EXISTS failed_charges");
  await db.$executeRawUnsafe(`ALTER SEQUENCE failed_charges RESTART`);
  await db.$executeRawUnsafe(`
    CREATE OR REPLACE FUNCTION fail_charge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.status = 'charged' AND nextval('failed_charges') <= ${times} THEN
        RAISE EXCEPTION 'the server is shutting down' USING ERRCODE = '57P01';
      END IF;
      RETURN NEW;
    END $$`);
  await db.$executeRawUnsafe(
    "CREATE OR REPLACE TRIGGER fail_charge BEFORE UPDATE ON usage_calls FOR EACH ROW EXECUTE FUNCTION fail_charge()",
  );
}

test("a charge that fails is sent again; its answer does not wait for it, unless it is kept under a key", async (t) => {
  const clock = new HandClock();
  const harness = await startChatHarness({}, { upstream: { clock } });
  const { db } = harness.postgres;
  harness.double.answer(says("uno dos"));
  const turn = async (waits: readonly number[]) => {
    for (const wait of waits) {
      await clock.set((ms) => ms === wait);
      clock.advance(wait);
    }
  };

  await failCharges(db, 3);
  const tenant = await harness.tenant();
  const { done, text } = await readStream(await openStream(harness.api.url, tenant, hello()));
  t.true(done);
  t.is(text, "uno dos");
  t.like(await billOf(harness, tenant), { status: "running" });
  await turn([100, 1_000, 5_000]);
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 7, completion: 2 });

  await failCharges(db, 4);
  const lucky = await harness.tenant();
  t.is((await post(lucky, hello())).status, 200);
  await turn([100, 1_000, 5_000]);
  while (!harness.log.text.includes("an answer was not charged")) await sleep(10);
  t.like(await billOf(harness, lucky), { status: "running", revenue: "0.000000000" });

  await failCharges(db, 4);
  const keyed = await harness.tenant();
  const answer = post(keyed, hello(), { "Idempotency-Key": "k" });
  await turn([100, 1_000, 5_000]);
  t.is((await answer).status, 503);
  const retry = await post(keyed, hello(), { "Idempotency-Key": "k" });
  t.is(retry.status, 200);
  t.is(retry.headers.get("Idempotency-Replayed"), null);

  const metrics = await (await fetch(harness.api.metricsUrl)).text();
  t.regex(metrics, /escriba_chat_unsettled_total\{[^}]*\} 2/);
  await harness.stop();
});

test("whoever has seen an answer sees its price, and has what it gave back", async (t) => {
  const harness = await startChatHarness();
  // Charges are slow, as behind a database that is far away.
  await harness.postgres.db.$executeRawUnsafe(`
    CREATE FUNCTION slow_charge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$`);
  await harness.postgres.db.$executeRawUnsafe(
    "CREATE TRIGGER slow_charge BEFORE UPDATE ON usage_calls FOR EACH ROW EXECUTE FUNCTION slow_charge()",
  );
  // Enough for one hold of 84 + 1,000 tokens at a time, and for 40 charges of 7 + 2.
  const tenant = await harness.tenant({ credit: "0.005" });
  harness.double.answer(says("uno dos"));
  for (let calls = 1; calls <= 5; calls += 1) {
    if (calls % 2 === 0) await readStream(await openStream(harness.api.url, tenant, hello({ max_tokens: 1_000 })));
    else t.is((await post(tenant, hello({ max_tokens: 1_000 }))).status, 200);
    if (calls === 5) t.is((await tenant.call("GET", "/v1/balance")).body.balance_eur, 0.00494);
  }
  t.is(await harness.postgres.db.usageCall.count({ where: { status: "charged" } }), 5);
  await harness.stop();
});

test("a call begins beside its hold where the one before went through; refused after all, it ends and costs nothing", async (t) => {
  const harness = await startChatHarness();
  const tenant = await harness.tenant({ credit: "0.0038" });
  const { organizationId } = tenant;
  const fits = hello({ max_tokens: 900 });
  t.is((await post(tenant, fits)).status, 200);
  harness.double.answer(hangs);
  for (const stream of [false, true]) {
    // More than there is: the upstream is asked at once, and cut when the hold is refused.
    const asked = harness.double.arrived(harness.double.seen.length + 1);
    const { status, body } = await post(tenant, hello({ max_tokens: 30_000, stream }));
    t.is(status, 402);
    t.is(body.error.code, "insufficient_credit");
    if (stream) t.is(harness.double.seen.length, 2, "after a refusal the hold goes first again");
    else await (await asked).closed;
  }
  t.is(await harness.postgres.db.usageCall.count({ where: { organizationId } }), 1);
  // An upstream that fails beside a hold that goes through: released.
  harness.double.answer(says("uno"), fails(401));
  t.is((await post(tenant, fits)).status, 200);
  t.is((await post(tenant, fits)).status, 503);
  const calls = await harness.postgres.db.usageCall.findMany({ where: { organizationId } });
  t.deepEqual(calls.map(({ status }) => status).sort(), ["charged", "charged", "released"]);
  await harness.stop();
});
