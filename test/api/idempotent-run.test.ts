import test from "ava";
import { ApiError } from "../../api/errors/api-error.ts";
import { type IdempotentRun, idempotently } from "../../api/idempotency.ts";
import type { Answer } from "../../api/route.ts";
import { createLog } from "../../process/log.ts";
import { finishIdempotent, type IdempotencyLease } from "../../storage/idempotency.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let postgres: TestPostgres;
test.before(async () => {
  postgres = await startTestPostgres();
});
test.after.always(() => postgres?.stop());

/** Requests with one key, of which each says what its run does. */
async function key(more: Partial<IdempotentRun> = {}) {
  const { id: organizationId } = await newOrganization(postgres.db);
  const request = {
    database: postgres.db,
    scope: { organizationId, route: "POST /v1/embeddings", key: "k" },
    body: "{}",
    signal: new AbortController().signal,
    log: createLog("api", "silent"),
  };
  return {
    ask: (run: IdempotentRun["run"], changes: Partial<IdempotentRun> = {}) =>
      idempotently({ ...request, ...more, ...changes, run }),
    /** As if the runner had slept through its lease. */
    expire: () =>
      postgres.db.idempotencyKey.updateMany({
        where: { organizationId },
        data: { leasedUntil: new Date(Date.now() - 1) },
      }),
    row: () => postgres.db.idempotencyKey.findFirst({ where: { organizationId } }),
  };
}

const answer = (body: string): Answer => ({ status: 200, body });

/** A run that ends well. */
const finish = (body: string) => async (lease: IdempotencyLease) => {
  await finishIdempotent(postgres.db, lease, { status: 200, body });
  return answer(body);
};

const never = async () => {
  throw new Error("must not run");
};

/** A run that goes on until it is told to end. */
function held(end: (lease: IdempotencyLease) => Promise<Answer | undefined>) {
  const [begun, may] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<void>()];
  return {
    begun: begun.promise,
    go: () => may.resolve(),
    run: async (lease: IdempotencyLease, lost: AbortSignal) => {
      begun.resolve(lost);
      await may.promise;
      return end(lease);
    },
  };
}

/** The database, whose writing statements go through `instead` while it is on. */
function statements(instead: (send: () => Promise<number>) => Promise<number>) {
  const { db } = postgres;
  const state = {
    on: false,
    database: new Proxy(db, {
      get: (_, name) =>
        state.on && name === "$executeRaw"
          ? (...sql: Parameters<typeof db.$executeRaw>) => instead(async () => db.$executeRaw(...sql))
          : Reflect.get(db, name),
    }),
  };
  return state;
}

test("the stored body is what every later request gets, marked as a replay", async (t) => {
  const { ask } = await key();
  t.deepEqual(await ask(finish('{"a":"ñ"}')), answer('{"a":"ñ"}'));
  t.deepEqual(await ask(never), { ...answer('{"a":"ñ"}'), headers: { "Idempotency-Replayed": "true" } });
});

test("the lease is renewed while the run goes on, and not after", async (t) => {
  const { ask, expire, row } = await key({ renewalMs: 5 });
  const first = held(finish("1"));
  const asked = ask(first.run);
  await first.begun;
  await expire();
  while (((await row())?.leasedUntil ?? new Date()) < new Date())
    await new Promise((resolve) => setTimeout(resolve, 5));
  first.go();
  await asked;
  await expire();
  const after = (await row())?.leasedUntil;
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.deepEqual((await row())?.leasedUntil, after);
});

test("a second request waits; it runs itself when the first fails", async (t) => {
  const { ask } = await key();
  const first = held(async () => {
    throw new ApiError("upstream_unavailable");
  });
  const asked = ask(first.run);
  await first.begun;
  const second = ask(finish("2"));
  first.go();
  t.is((await t.throwsAsync(asked, { instanceOf: ApiError }))?.code, "upstream_unavailable");
  t.deepEqual(await second, answer("2"));
  t.like(await ask(never), { body: "2", headers: { "Idempotency-Replayed": "true" } });
});

test("a lease that ended goes to the next request; its first runner is told, and answers with the other's", async (t) => {
  const { ask, expire } = await key({ renewalMs: 5 });
  // Its process hung too long to renew.
  const first = held(async () => undefined);
  const asked = ask(first.run, { renewalMs: 3_600_000 });
  await first.begun;
  await expire();
  t.deepEqual(await ask(finish("2")), answer("2"));
  first.go();
  t.like(await asked, { body: "2", headers: { "Idempotency-Replayed": "true" } });
});

test("a renewal that finds the lease lost aborts the run's signal", async (t) => {
  const { ask, expire } = await key();
  const taken = Promise.withResolvers<void>();
  const first = held(async () => undefined);
  // Its renewals reach the database only when another has the key.
  const slow = statements(async (send) => {
    await taken.promise;
    return send();
  });
  const asked = ask(first.run, { database: slow.database, renewalMs: 5 });
  const lost = await first.begun;
  slow.on = true;
  await expire();
  const second = held(finish("2"));
  const other = ask(second.run);
  await second.begun;
  taken.resolve();
  if (!lost.aborted) await new Promise((resolve) => lost.addEventListener("abort", resolve));
  slow.on = false;
  first.go();
  second.go();
  t.deepEqual(await other, answer("2"));
  t.like(await asked, { body: "2" });
});

test("a client that left does not end its run, only its waiting", async (t) => {
  const { ask } = await key();
  const client = new AbortController();
  const first = held(finish("1"));
  const asked = ask(first.run, { signal: client.signal });
  const lost = await first.begun;
  const waiting = new AbortController();
  const second = ask(never, { signal: waiting.signal });
  client.abort();
  waiting.abort();
  await t.throwsAsync(second, { name: "AbortError" });
  t.false(lost.aborted);
  first.go();
  await asked;
  t.like(await ask(never), { body: "1", headers: { "Idempotency-Replayed": "true" } });
});

test("a renewal that cannot reach the database does not end the run", async (t) => {
  const { ask } = await key();
  const failed = Promise.withResolvers<void>();
  const gone = statements(async () => {
    failed.resolve();
    throw new Error("down");
  });
  const first = held(finish("1"));
  const asked = ask(first.run, { database: gone.database, renewalMs: 5 });
  const lost = await first.begun;
  gone.on = true;
  await failed.promise;
  t.false(lost.aborted);
  first.go();
  t.deepEqual(await asked, answer("1"));
});
