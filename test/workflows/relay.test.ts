import { setTimeout as sleep } from "node:timers/promises";
import { Client, Connection } from "@temporalio/client";
import test from "ava";
import { readBalance } from "../../billing/credit.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { holdUsage } from "../../billing/usage.ts";
import { createLog } from "../../process/log.ts";
import { createRegistry } from "../../process/metrics.ts";
import { deleteFile } from "../../storage/files.ts";
import { beginIdempotent } from "../../storage/idempotency.ts";
import { newChatCompletionId } from "../../storage/ids.ts";
import { keys } from "../../storage/keys.ts";
import { listenToOutbox } from "../../storage/outbox-listener.ts";
import { readResult } from "../../storage/results.ts";
import { createOutboxMetrics } from "../../workflows/metrics.ts";
import { Alarm, type RelayDependencies, runRelay, serveOutbox } from "../../workflows/relay.ts";
import { SWEEPER_DEFAULTS, sweep } from "../../workflows/sweeper.ts";
import { createTranscriptMetrics } from "../../workflows/transcript-metrics.ts";
import { newEndpoint } from "../support/events.ts";
import { newFile, settlement } from "../support/organization.ts";
import { eventually, type Stack, startStack } from "./stack.ts";

/** No worker runs here: workflows are started and stay at their first step. */
let stack: Stack;
let relay: RelayDependencies;
const log = createLog("relay", "silent");
test.before(async () => {
  stack = await startStack();
  const { postgres, temporal, store } = stack;
  const metrics = createOutboxMetrics(registry);
  relay = { db: postgres.db, client: temporal.client, store, metrics, log };
});
test.after.always(() => stack?.stop());

const AUDIO = Buffer.from("a recording");
const runs = async (id: string) => (await stack.temporal.client.workflow.count(`WorkflowId = '${id}'`)).count;
const status = async (id: string) => (await stack.temporal.client.workflow.getHandle(id).describe()).status.name;
const open = async (id: string) => (await status(id).catch(() => "none")) === "RUNNING";
const again = (id: string) =>
  stack.postgres.db.$executeRaw`UPDATE outbox SET done_at = NULL, available_at = now() WHERE transcript_id = ${id}`;
const waiting = (id: string) => stack.postgres.db.outbox.count({ where: { transcriptId: id, doneAt: null } });
const registry = createRegistry("test");
const transcripts = createTranscriptMetrics(registry);
const sweeper = () => ({ ...relay, transcripts, now: Date.now });

test.serial("several relays at work start each transcript once", async (t) => {
  const submitted = await Promise.all(Array.from({ length: 12 }, () => stack.submit(AUDIO)));
  const stop = new AbortController();
  const relays = [1, 2, 3].map(() => runRelay(relay, stop.signal));
  for (const { id } of submitted) await eventually(() => open(id));
  for (const { id } of submitted) await again(id); // as if a relay had died between its start and its mark
  for (const { id } of submitted) await eventually(async () => (await waiting(id)) === 0);
  stop.abort();
  await Promise.all(relays);
  for (const { id } of submitted) t.is(await eventually(() => runs(id)), 1);
  for (const { id } of submitted) await stack.temporal.client.workflow.getHandle(id).terminate();
});

test.serial("a commit wakes the relay, also after PostgreSQL had dropped the connection", async (t) => {
  const stop = new AbortController();
  let rings = 0;
  const listening = listenToOutbox(stack.postgres.url, () => rings++, { log, signal: stop.signal, reconnectMs: 10 });
  const listeners = () =>
    stack.postgres.db.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE application_name = 'escriba outbox' AND query LIKE 'LISTEN%'`;
  await eventually(async () => (await listeners()).length === 1);
  const [listener] = await listeners();
  await stack.postgres.db.$queryRaw`SELECT pg_terminate_backend(${listener?.pid}::integer)`;
  await eventually(async () => (await listeners()).some(({ pid }) => pid !== listener?.pid));
  await eventually(async () => rings >= 2); // one a connection made: rows may have come before it
  const before = rings;
  const { id } = await stack.submit(AUDIO);
  await eventually(async () => rings > before);
  stop.abort();
  await listening;
  t.deepEqual(await listeners(), []);
  await serveOutbox(relay);
  await stack.temporal.client.workflow.getHandle(id).terminate();
});

test("an alarm ends a sleep at once, and one that rang before it began", async (t) => {
  const alarm = new Alarm();
  const { signal } = new AbortController();
  const asleep = alarm.sleep(2 ** 30, signal);
  alarm.ring();
  await asleep;
  alarm.ring();
  await alarm.sleep(2 ** 30, signal);
  await alarm.sleep(1, signal);
  await alarm.sleep(2 ** 30, AbortSignal.abort());
  t.pass();
});

test.serial("rows wait while Temporal is away, and say why", async (t) => {
  const { id } = await stack.submit(AUDIO);
  const connection = Connection.lazy({ address: "127.0.0.1:1", connectTimeout: 200 });
  t.is(await serveOutbox({ ...relay, client: new Client({ connection }) }), 1);
  await connection.close();
  const row = await stack.postgres.db.outbox.findFirstOrThrow({ where: { transcriptId: id } });
  t.is(row.doneAt, null);
  t.truthy(row.lastError);
  await eventually(() => serveOutbox(relay));
  t.true(await open(id));
  await stack.temporal.client.workflow.getHandle(id).terminate();
});

test.serial("a delete cancels the workflow; without one it removes the objects and the upload itself", async (t) => {
  const started = await stack.submit(AUDIO);
  await serveOutbox(relay);
  await deleteTranscript(stack.postgres.db, started.organizationId, started.id);
  await serveOutbox(relay);
  const history = await stack.temporal.client.workflow.getHandle(started.id).fetchHistory();
  t.true(history.events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes));

  const never = await stack.submit(AUDIO);
  await stack.store.put(keys.plan(never.id), "{}");
  await deleteTranscript(stack.postgres.db, never.organizationId, never.id);
  await serveOutbox(relay);
  t.is(await waiting(never.id), 0);
  t.deepEqual(await never.objects(), []);
  t.is(await stack.store.head(never.uploadKey), null);
  t.is(await runs(never.id), 0);

  // A file alone, whose API died before it had removed the object.
  const { id, organizationId, objectKey } = await newFile(stack.postgres.db, started.organizationId, 1_000);
  await stack.store.put(objectKey, AUDIO);
  await deleteFile(stack.postgres.db, organizationId, id);
  await serveOutbox(relay);
  t.is(await stack.store.head(objectKey), null);
});

test.serial("the sweeper restarts what has no workflow, then fails it, and leaves what runs alone", async (t) => {
  const { id, balance, events } = await stack.submit(AUDIO);
  await stack.postgres.db.outbox.deleteMany({ where: { transcriptId: id } }); // the row was lost
  const options = { ...SWEEPER_DEFAULTS, settledMs: 0 };
  await sweep(sweeper(), options);
  t.true(await open(id));
  await sweep(sweeper(), options);
  t.is(await eventually(() => runs(id)), 1);

  for (const count of [1, 2]) {
    await stack.temporal.client.workflow.getHandle(id).terminate();
    await eventually(async () => !(await open(id)));
    await eventually(async () => (await runs(id)) === count);
    await sweep(sweeper(), options);
    t.is(await open(id), count === 1);
  }
  const row = await stack.postgres.db.transcript.findUniqueOrThrow({ where: { id } });
  t.is(row.status, "failed");
  t.is((await balance()).spendable, "1.000000000");
  t.deepEqual(await events(), ["transcript.failed"]);
});

test.serial("the sweeper leaves young rows to the relay and fails those past their deadline", async (t) => {
  const young = await stack.submit(AUDIO);
  const late = await stack.submit(AUDIO);
  await stack.postgres.db.$executeRaw`
    UPDATE transcripts SET created_at = now() - interval '49 hours', deadline_at = now() - interval '1 hour'
    WHERE id = ${late.id}`;
  await sweep(sweeper(), SWEEPER_DEFAULTS);
  t.false(await open(young.id));
  t.is((await late.final())?.status, "failed");
  t.is((await late.balance()).spendable, "1.000000000");
});

test.serial("what the sweeper sees of the whole service stands in its metrics", async (t) => {
  const { db } = stack.postgres;
  const value = async (name: string, labels: Record<string, string> = {}) => {
    const metric = await registry.getSingleMetric(name)?.get();
    const match = (found: object) => Object.entries(labels).every(([key, of]) => Reflect.get(found, key) === of);
    return metric?.values.find((one) => match(one.labels))?.value;
  };
  const inFlight = await db.transcript.count({ where: { status: { in: ["queued", "processing"] } } });
  const { id, organizationId } = await stack.submit(AUDIO, { creditEur: "0.02" });
  await db.$executeRaw`UPDATE transcripts SET created_at = now() - interval '1 hour' WHERE id = ${id}`;
  await sweep(sweeper(), SWEEPER_DEFAULTS);
  t.is(await value("escriba_transcripts_in_flight", { status: "queued" }), inFlight + 1);
  t.true(((await value("escriba_oldest_transcript_seconds", { status: "queued" })) ?? 0) >= 3_600);
  t.is(await value("escriba_oldest_transcript_seconds", { status: "processing" }), 0);
  t.is(await value("escriba_unexplained_holds_eur"), 0);
  t.true(((await value("escriba_transcripts_finished_total", { code: "deadline_exceeded" })) ?? 0) >= 1);

  // A hold that nobody owns, as a fault of ours would leave it.
  const before = (await value("escriba_organizations_without_credit")) ?? 0;
  const { spendable } = await readBalance(db, organizationId);
  await db.$executeRaw`SELECT ledger_post(${organizationId}::uuid, 'hold', 'leaked', NULL, NULL, '2026-11', '{}',
    jsonb_build_object('balance', -${spendable}::numeric, 'held', ${spendable}::numeric))`;
  await sweep(sweeper(), SWEEPER_DEFAULTS);
  t.is(await value("escriba_unexplained_holds_eur"), Number(spendable));
  t.is(await value("escriba_organizations_without_credit"), before + 1);

  await newEndpoint(db, organizationId);
  await sweep(sweeper(), SWEEPER_DEFAULTS);
  t.is(await value("escriba_webhook_endpoints", { status: "enabled" }), 1);
  t.is(await value("escriba_webhook_endpoints", { status: "disabled" }), 0);
});

test.serial("objects that no transcript in flight owns are removed", async (t) => {
  const inFlight = await stack.submit(AUDIO);
  await stack.store.put(keys.plan(inFlight.id), "{}");
  await stack.store.put(keys.window("tr_gone", 0), "{}");
  await stack.store.put(keys.window("tr_gone", 1), "{}");
  await sweep(sweeper(), SWEEPER_DEFAULTS);
  t.deepEqual(await Array.fromAsync(stack.store.list("transcripts/")), [keys.plan(inFlight.id)]);
  t.not(await stack.store.head(inFlight.uploadKey), null);
});

test.serial("what has expired stays until it is deleted: row, text, file and audio", async (t) => {
  const { id, uploadKey, organizationId } = await stack.submit(AUDIO);
  const { db } = stack.postgres;
  await settleTranscript(db, settlement(id, 1_000));
  await db.transcript.update({ where: { id }, data: { expiresAt: new Date(0) } });
  await db.file.updateMany({ where: { organizationId }, data: { expiresAt: new Date(0) } });
  await sweep(sweeper(), { ...SWEEPER_DEFAULTS, settledMs: 0 });
  t.is((await readResult(db, id))?.text, "hello");
  t.is(await db.file.count({ where: { organizationId } }), 1);
  t.not(await stack.store.head(uploadKey), null);
});

test.serial("idempotency keys past their window are removed, others stay", async (t) => {
  const { organizationId } = await stack.submit(AUDIO);
  const { db } = stack.postgres;
  for (const [key, hours] of [
    ["old", -1],
    ["young", 1],
  ] as const) {
    await beginIdempotent(db, { organizationId, route: "POST /v1/transcripts", key }, "{}");
    const expiresAt = new Date(Date.now() + hours * 3_600_000);
    await db.idempotencyKey.updateMany({ where: { organizationId, key }, data: { expiresAt } });
  }
  await sweep(sweeper(), SWEEPER_DEFAULTS);
  const left = await db.idempotencyKey.findMany({ where: { organizationId }, select: { key: true } });
  t.deepEqual(left, [{ key: "young" }]);
});

test.serial("holds of calls whose process died are released, also while Temporal is away; others stay", async (t) => {
  const { organizationId } = await stack.submit(AUDIO);
  const { db } = stack.postgres;
  const hold = { organizationId, apiKeyId: null, kind: "chat" as const, model: "service-llm-1-small" };
  const [dead, alive] = [newChatCompletionId(), newChatCompletionId()];
  for (const id of [dead, alive]) await holdUsage(db, { ...hold, id, promptTokens: 100, completionTokens: 100 });
  await db.usageCall.update({ where: { id: dead }, data: { leasedUntil: new Date(Date.now() - 1) } });
  const describe = () => Promise.reject(new Error("away"));
  const client = { workflow: { getHandle: () => ({ describe }) } } as unknown as Client;
  await t.throwsAsync(sweep({ ...sweeper(), client }, { ...SWEEPER_DEFAULTS, settledMs: 0 }));
  const calls = await db.usageCall.findMany({ where: { organizationId }, select: { id: true, status: true } });
  t.deepEqual(
    new Map(calls.map(({ id, status }) => [id, status])),
    new Map([
      [dead, "released"],
      [alive, "running"],
    ]),
  );
});

test.serial("a relay that cannot reach its database keeps trying until it is told to end", async (t) => {
  const stop = new AbortController();
  let asked = 0;
  const db = {
    $queryRaw: async () => {
      asked += 1;
      throw new Error("no connection");
    },
  };
  const running = runRelay({ ...relay, db: db as never }, stop.signal);
  await eventually(async () => asked > 1);
  stop.abort();
  await running;
  await sleep(0);
  t.pass();
});
