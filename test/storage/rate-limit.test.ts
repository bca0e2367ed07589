import anyTest, { type TestFn } from "ava";
import { createApiKey } from "../../storage/api-keys.ts";
import { closeDatabase, createDatabase } from "../../storage/database.ts";
import { createRateLimiter, type RateLimiter } from "../../storage/rate-limit.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres();
});
test.after.always((t) => t.context.stop?.());

async function newKey({ db }: TestPostgres): Promise<string> {
  const { id: organizationId } = await newOrganization(db);
  return (await createApiKey(db, { organizationId })).key.id;
}

async function allowed(limiters: RateLimiter[], key: string, requests: number, limit: number): Promise<number> {
  const decisions = await Promise.all(
    Array.from({ length: requests }, (_, at) => (limiters[at % limiters.length] as RateLimiter).take(key, limit)),
  );
  return decisions.filter((decision) => decision.allowed).length;
}

/** Moves every grant `seconds` into the past. */
async function pass({ db }: TestPostgres, key: string, seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE request_permits SET counted_until = ARRAY(
      SELECT u - make_interval(secs => ${seconds}::double precision) FROM unnest(counted_until) u)
    WHERE api_key_id = ${key}::uuid`;
}

test("300 a minute: three replicas together never grant more, and one after the other grants all", async (t) => {
  const key = await newKey(t.context);
  const limiters = [1, 2, 3].map(() => createRateLimiter(t.context.db));
  const burst = await allowed(limiters, key, 900, 300);
  t.true(burst <= 300, `${burst}`);
  // What a replica holds and did not use comes back with its next question.
  let more = 0;
  for (let request = 0; request < 60; request++)
    more += await allowed(limiters.slice(request % 3, (request % 3) + 1), key, 1, 300);
  t.true(burst + more <= 300);
  t.true(burst + more >= 290, `${burst} + ${more}`);
});

test("a steady key gets exactly its limit: no permit is lost to leases", async (t) => {
  const key = await newKey(t.context);
  let now = 0;
  const limiter = createRateLimiter(t.context.db, () => now);
  let granted = 0;
  let refusal: Awaited<ReturnType<RateLimiter["take"]>> | undefined;
  // Four a second: the process leases what the last second used.
  for (let request = 0; request < 320; request++) {
    now += 250;
    const decision = await limiter.take(key, 300);
    if (decision.allowed) granted += 1;
    else refusal ??= decision;
  }
  t.is(granted, 300);
  t.like(refusal, { allowed: false, limit: 300, remaining: 0 });
  t.true((refusal?.retryAfterSeconds ?? 0) >= 1 && (refusal?.retryAfterSeconds ?? 99) <= 61);
});

test("remaining falls with every request, and a refusal is 0 with a wait", async (t) => {
  const key = await newKey(t.context);
  const limiter = createRateLimiter(t.context.db);
  const remaining: number[] = [];
  for (let request = 0; request < 5; request++) remaining.push((await limiter.take(key, 5)).remaining);
  t.deepEqual(remaining, [4, 3, 2, 1, 0]);
  const refused = await limiter.take(key, 5);
  t.like(refused, { allowed: false, remaining: 0 });
  t.true(Number.isInteger(refused.retryAfterSeconds) && refused.retryAfterSeconds >= 1);
});

test("the minute slides: old grants stop counting one by one", async (t) => {
  const key = await newKey(t.context);
  const limiter = createRateLimiter(t.context.db);
  t.is(await allowed([limiter], key, 3, 6), 3);
  await pass(t.context, key, 40);
  t.is(await allowed([limiter], key, 9, 6), 3);
  await pass(t.context, key, 25);
  t.is(await allowed([limiter], key, 9, 6), 3);
});

test("permits of a lease are not used after it, and count for 61 seconds", async (t) => {
  const key = await newKey(t.context);
  let now = 0;
  const limiter = createRateLimiter(t.context.db, () => now);
  await allowed([limiter], key, 10, 300); // leases a block
  now += 1_500; // the lease is over
  const before = await t.context.db.requestPermits.findUnique({ where: { apiKeyId: key } });
  await limiter.take(key, 300);
  const after = await t.context.db.requestPermits.findUnique({ where: { apiKeyId: key } });
  t.not(after?.leases.at(-1), before?.leases.at(-1));
  const sum = (counts: number[] = []) => counts.reduce((total, count) => total + count, 0);
  t.true(sum(after?.counts) >= 11);
  const spans = (after?.countedUntil ?? []).map(
    (until, at) => [after?.counts[at] ?? 0, until.getTime() - Date.now()] as const,
  );
  t.true(spans.every(([, ms]) => ms <= 61_000));
});

test("each key has its own minute", async (t) => {
  const [one, two] = [await newKey(t.context), await newKey(t.context)];
  const limiter = createRateLimiter(t.context.db);
  t.is(await allowed([limiter], one, 4, 2), 2);
  t.is(await allowed([limiter], two, 4, 2), 2);
});

test("without PostgreSQL nothing is allowed: take rejects, and works again later", async (t) => {
  const key = await newKey(t.context);
  const gone = createDatabase("postgresql://nobody:x@127.0.0.1:1/none");
  await t.throwsAsync(async () => createRateLimiter(gone).take(key, 300));
  await closeDatabase(gone);

  const limiter = createRateLimiter(t.context.db);
  await t.throwsAsync(async () => limiter.take("not a uuid", 300));
  await t.throwsAsync(async () => limiter.take("not a uuid", 300));
  t.true((await limiter.take(key, 300)).allowed);
});

test("requests of one turn of the event loop ask once: the lease is for all of them", async (t) => {
  const key = await newKey(t.context);
  t.is(await allowed([createRateLimiter(t.context.db)], key, 16, 300), 16);
  const leases = await t.context.db.$queryRaw<{ counts: number[] }[]>`
    SELECT counts FROM request_permits WHERE api_key_id = ${key}::uuid`;
  t.deepEqual(leases, [{ counts: [16] }]);
});
