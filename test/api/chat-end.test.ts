import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import type { Database } from "../../storage/database.ts";
import { begins, chunk, DONE, says, usage } from "../upstream/double.ts";
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
  t.like(await billOf(harness, tenant), { status: "charged", prompt: 7, completion: 2 });
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
  for (const tenant of [streaming, waiting, keyed]) t.like(await billOf(harness, tenant), UNBILLED);
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

test("a charge that fails is sent again; a stream's end does not wait for more than a moment of it", async (t) => {
  const clock = new HandClock();
  const harness = await startChatHarness({}, { upstream: { clock } });
  const { db } = harness.postgres;
  harness.double.answer(says("uno dos"));

  await failCharges(db, 2);
  const tenant = await harness.tenant();
  const stream = await openStream(harness.api.url, tenant, hello());
  clock.advance(await clock.set((ms) => ms === 100));
  await clock.set((ms) => ms === 1_000);
  // 250 ms after the last chunk.
  clock.advance(150);
  const { done, text } = await readStream(stream);
  t.true(done);
  t.is(text, "uno dos");
  t.like(await billOf(harness, tenant), { status: "running" });
  clock.advance(850);
  t.like(await endedBill(harness, tenant), { status: "charged", prompt: 7, completion: 2 });

  // A whole answer, and a whole answer under a key, which has to be stored.
  for (const [headers, status] of [
    [{}, 200],
    [{ "Idempotency-Key": "k" }, 503],
  ] as const) {
    await failCharges(db, 4);
    const poor = await harness.tenant();
    const answer = post(poor, hello(), headers);
    for (const wait of [100, 1_000, 5_000]) {
      await clock.set((ms) => ms === wait);
      clock.advance(wait);
    }
    t.is((await answer).status, status);
    t.like(await billOf(harness, poor), { status: "running", revenue: "0.000000000" });
    if (status === 200) continue;
    const retry = await post(poor, hello(), headers);
    t.is(retry.status, 200);
    t.is(retry.headers.get("Idempotency-Replayed"), null);
  }
  t.regex(await (await fetch(harness.api.metricsUrl)).text(), /escriba_chat_unsettled_total\{[^}]*\} 2/);
  await harness.stop();
});
