import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { readBalance } from "../../billing/credit.ts";
import { releaseDeadUsage } from "../../billing/usage.ts";
import { assertLedgerHolds } from "../billing/ledger-holds.ts";
import { newFile } from "../support/organization.ts";
import { type Double, hangs, type Script, says, startDouble } from "../upstream/double.ts";
import { embeds } from "../upstream/embeds.ts";
import { type Customer, type Processes, startProcesses } from "./processes.ts";

let upstream: Double;
let processes: Processes;
test.before(async () => {
  upstream = await startDouble();
  const server = { url: upstream.url, model: "theirs" };
  const models = { "service-llm-1-small": server, "service-embed-1": { ...server, native_dimensions: 768 } };
  processes = await startProcesses(3, { ESCRIBA_UPSTREAMS: JSON.stringify(models) });
});
test.after.always(async () => {
  await processes?.stop();
  await upstream?.stop();
});

interface Reply {
  status: number;
  replayed: boolean;
  requestId: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** The `at`th request goes to the next process, under the next of the customer's keys. */
async function post({ keys }: Customer, at: number, path: string, json: object, idempotencyKey = ""): Promise<Reply> {
  const response = await fetch(`${processes.urls[at % processes.urls.length]}${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keys[at % keys.length]?.plaintext}`,
      "Content-Type": "application/json",
      ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
    },
    body: JSON.stringify(json),
  });
  return {
    status: response.status,
    replayed: response.headers.get("Idempotency-Replayed") === "true",
    requestId: response.headers.get("Service-Request-Id"),
    body: await response.json(),
  };
}

const charges = (organizationId: string) =>
  processes.postgres.db.ledgerTransaction.count({ where: { organizationId, kind: "charge" } });

test.serial("500 POSTs at once on a balance for ten: ten are accepted, the others are 402", async (t) => {
  const { db } = processes.postgres;
  // Ten started minutes. Five keys, since one may send 300 a minute.
  const customer = await processes.customer("0.065", 5);
  const { organizationId } = customer;
  const file = await newFile(db, organizationId, 60_000);
  const replies = await Promise.all(
    Array.from({ length: 500 }, (_, at) => post(customer, at, "/v1/transcripts", { file_id: file.id })),
  );
  const accepted = replies.filter(({ status }) => status === 202);
  const refused = replies.filter(({ status }) => status === 402);
  t.deepEqual([accepted.length, refused.length], [10, 490]);
  t.deepEqual(new Set(refused.map(({ body }) => body.error.code)), new Set(["insufficient_credit"]));
  t.is(new Set(accepted.map(({ body }) => body.id)).size, 10);
  t.is(await db.transcript.count({ where: { organizationId } }), 10);
  t.like(await readBalance(db, organizationId), { spendable: "0.000000000", held: "0.065000000" });
  await assertLedgerHolds(db, [organizationId]);
});

/** Answers after the others have had time to come. */
const late =
  (script: Script): Script =>
  async (seen) => {
    await sleep(200);
    await script(seen);
  };

const say = (content: string) => ({ model: "service-llm-1-small", messages: [{ role: "user", content }] });
const embed = (input: string) => ({ model: "service-embed-1", input });
const hear = (name: string) => ({ audio_url: `https://example.com/${name}` });

for (const [route, json, other, script] of [
  ["/v1/transcripts", hear("one"), hear("other"), null],
  ["/v1/chat/completions", say("Hola"), say("Adiós"), says("Sí")],
  ["/v1/embeddings", embed("hola"), embed("adiós"), embeds()],
] as const) {
  test.serial(`50 requests at once with one Idempotency-Key to ${route}: one runs, 49 are its replays`, async (t) => {
    const { db } = processes.postgres;
    const customer = await processes.customer("5");
    const { organizationId } = customer;
    upstream.seen.length = 0;
    if (script) upstream.answer(late(script));
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => post(customer, at, route, json, "k")));
    const [first] = replies;
    t.deepEqual(new Set(replies.map(({ status }) => status)), new Set([script ? 200 : 202]));
    for (const { body } of replies) t.deepEqual(body, first?.body);
    t.is(replies.filter(({ replayed }) => replayed).length, 49);
    t.is(new Set(replies.map(({ requestId }) => requestId)).size, 50);
    t.is(upstream.seen.length, script ? 1 : 0);
    t.is(await charges(organizationId), script ? 1 : 0);
    t.is(await db.usageCall.count({ where: { organizationId } }), script ? 1 : 0);
    t.is(await db.transcript.count({ where: { organizationId } }), script ? 0 : 1);
    t.is(await db.ledgerTransaction.count({ where: { organizationId, kind: "hold" } }), 1);
    const reused = await post(customer, 1, route, other, "k");
    t.deepEqual([reused.status, reused.body.error.code], [409, "idempotency_key_reused"]);
    await assertLedgerHolds(db, [organizationId]);
  });
}

/** When a request was decided: between the two, in seconds of the database's clock as the test has moved it. */
interface Allowed {
  sent: number;
  answered: number;
}

/** The most requests that were certainly within one window of 60 s, wherever it begins. */
function mostInAMinute(allowed: Allowed[]): number {
  return Math.max(
    0,
    ...allowed.map(({ sent: from }) => allowed.filter((one) => one.sent >= from && one.answered < from + 60).length),
  );
}

test("the count of a window sees 301 in 60 s, and not 300 and one a minute later", (t) => {
  const burst = Array.from({ length: 300 }, (_, at) => ({ sent: at / 10, answered: at / 10 + 0.1 }));
  t.is(mostInAMinute(burst), 300);
  t.is(mostInAMinute([...burst, { sent: 59, answered: 59.5 }]), 301);
  t.is(mostInAMinute([...burst, { sent: 61, answered: 61.5 }]), 300);
});

test.serial("never more than 300 requests of a key in any 60 s over three processes at once", async (t) => {
  const { db } = processes.postgres;
  const { keys } = await processes.customer("1");
  const [key] = keys;
  const started = performance.now();
  let moved = 0;
  const now = () => (performance.now() - started) / 1000 + moved;
  const allowed: Allowed[] = [];
  let refused = 0;
  const ask = async (at: number) => {
    const sent = now();
    const response = await fetch(`${processes.urls[at % 3]}/v1/me`, {
      headers: { Authorization: `Bearer ${key?.plaintext}` },
    });
    await response.arrayBuffer();
    if (response.status === 200) allowed.push({ sent, answered: now() });
    else refused += 1;
    if (response.status !== 200 && response.status !== 429) throw new Error(`status ${response.status}`);
  };
  /** So many at once, waves one after the other. */
  const burst = async (requests: number, atOnce: number) => {
    for (let at = 0; at < requests; at += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, one) => ask(at + one)));
    }
  };
  /** Moves the grants into the past, which to the database is the same as waiting; no lease outlives the second. */
  const pass = async (seconds: number) => {
    await sleep(1_050);
    await db.$executeRaw`
      UPDATE request_permits SET counted_until = ARRAY(
        SELECT u - make_interval(secs => ${seconds}::double precision) FROM unnest(counted_until) u)
      WHERE api_key_id = ${key?.id}::uuid`;
    moved += seconds;
  };
  // A trickle, a rush over the limit, then rushes at every part of a minute as the grants slide out of it.
  const waits = [
    [60, 3, 20],
    [450, 90, 15],
    [120, 30, 15],
    [200, 50, 12],
    [90, 3, 25],
    [360, 120, 59],
    [400, 100, 0],
  ];
  for (const [requests = 0, atOnce = 0, seconds = 0] of waits) {
    await burst(requests, atOnce);
    if (seconds > 0) await pass(seconds);
  }
  const most = mostInAMinute(allowed);
  t.true(most <= 300, `${most} in a window`);
  // It is the limit that held them back, and no more than the limit did.
  t.true(refused > 300, `${refused} refused`);
  t.true(most >= 200, `${most} in the fullest window`);
});

// The last, since it leaves two.
test.serial(
  "a process killed in the middle of a call: its hold comes back, the retry runs and is billed once",
  async (t) => {
    const { db } = processes.postgres;
    const customer = await processes.customer("1");
    const { organizationId } = customer;
    upstream.seen.length = 0;
    upstream.answer(hangs, says("Sí"));
    const broken = t.throwsAsync(post(customer, 2, "/v1/chat/completions", say("Hola"), "k"));
    await upstream.arrived(1);
    processes.kill(2);
    await broken;
    t.not((await readBalance(db, organizationId)).held, "0.000000000");
    // A minute later.
    const leasedUntil = new Date(Date.now() - 1);
    await db.usageCall.updateMany({ where: { organizationId }, data: { leasedUntil } });
    await db.idempotencyKey.updateMany({ where: { organizationId }, data: { leasedUntil } });
    t.is(await releaseDeadUsage(db), 1);
    t.is((await readBalance(db, organizationId)).spendable, "1.000000000");

    const retry = await post(customer, 0, "/v1/chat/completions", say("Hola"), "k");
    t.like(retry, { status: 200, replayed: false });
    t.like(await post(customer, 1, "/v1/chat/completions", say("Hola"), "k"), {
      status: 200,
      replayed: true,
      body: retry.body,
    });
    t.is(upstream.seen.length, 2);
    t.is(await charges(organizationId), 1);
    await assertLedgerHolds(db, [organizationId]);
  },
);
