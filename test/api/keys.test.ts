import test from "ava";
import { KEY_CACHE_MS, KeyCache, REFUSED_CACHE_MS } from "../../api/key-cache.ts";
import { clientAddress, inRanges, parseRanges } from "../../api/middleware/client-address.ts";
import { createApiKey, hashApiKey, revokeApiKey } from "../../storage/api-keys.ts";
import type { Database } from "../../storage/database.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let postgres: TestPostgres;
test.before(async () => {
  postgres = await startTestPostgres();
});
test.after.always(() => postgres?.stop());

/** A cache over the real database that counts its questions. */
function newCache(max?: number) {
  const clock = { now: 1_000_000 };
  const asked = { times: 0 };
  const counted = Object.create(postgres.db, {
    apiKey: {
      value: {
        findUnique: (query: Parameters<Database["apiKey"]["findUnique"]>[0]) => {
          asked.times += 1;
          return postgres.db.apiKey.findUnique(query);
        },
      },
    },
  }) as Database;
  return { clock, asked, cache: new KeyCache(counted, () => clock.now, max) };
}

async function newKey() {
  const { id: organizationId } = await newOrganization(postgres.db);
  return createApiKey(postgres.db, { organizationId });
}

const invented = (n: number) => `sk_live_${String(n).padStart(32, "0")}`;

test("a key is asked for once in 30 s, however many requests come at once", async (t) => {
  const { plaintext, key } = await newKey();
  const { cache, clock, asked } = newCache();
  const found = await Promise.all(Array.from({ length: 20 }, () => cache.find(plaintext)));
  t.true(found.every(({ keyId }) => keyId === key.id));
  clock.now += KEY_CACHE_MS - 1;
  await cache.find(plaintext);
  t.is(asked.times, 1);
  clock.now += 1;
  await cache.find(plaintext);
  t.is(asked.times, 2);
});

test("a revoked key works until its 30 s are over, also when it was used in between", async (t) => {
  const { plaintext, key } = await newKey();
  const { cache, clock } = newCache();
  await cache.find(plaintext);
  await revokeApiKey(postgres.db, key.id);
  clock.now += KEY_CACHE_MS / 2;
  t.is((await cache.find(plaintext)).keyId, key.id);
  clock.now += KEY_CACHE_MS / 2;
  await t.throwsAsync(async () => cache.find(plaintext), { code: "revoked_api_key" });
});

test("a refused key is refused again without a question for 10 s, then it is asked for anew", async (t) => {
  const { cache, clock, asked } = newCache();
  for (let time = 0; time < 3; time += 1)
    await t.throwsAsync(async () => cache.find(invented(1)), { code: "invalid_api_key" });
  t.is(asked.times, 1);
  const { plaintext, key } = await newKey();
  await postgres.db.apiKey.update({ where: { id: key.id }, data: { hash: hashApiKey(invented(1)) } });
  await t.throwsAsync(async () => cache.find(plaintext), { code: "invalid_api_key" });
  clock.now += REFUSED_CACHE_MS - 1;
  await t.throwsAsync(async () => cache.find(invented(1)), { code: "invalid_api_key" });
  clock.now += 1;
  t.is((await cache.find(invented(1))).keyId, key.id);
});

test("a key that was just made works at once", async (t) => {
  const { cache } = newCache();
  const { plaintext, key } = await newKey();
  t.is((await cache.find(plaintext)).keyId, key.id);
});

test("a flood of invented keys drives no good key out, and is itself bounded", async (t) => {
  const { plaintext } = await newKey();
  const { cache, asked } = newCache(10);
  await cache.find(plaintext);
  await Promise.allSettled(Array.from({ length: 50 }, (_, n) => cache.find(invented(n + 100))));
  t.is(asked.times, 51);
  await cache.find(plaintext);
  t.is(asked.times, 51);
  await t.throwsAsync(async () => cache.find(invented(149)), { code: "invalid_api_key" });
  t.is(asked.times, 51, "the last ones are remembered");
  await t.throwsAsync(async () => cache.find(invented(100)), { code: "invalid_api_key" });
  t.is(asked.times, 52, "the first ones are not");
});

test("an error of the database is neither a pass nor remembered", async (t) => {
  const { plaintext, key } = await newKey();
  let broken = true;
  const failing = Object.create(postgres.db, {
    apiKey: {
      value: {
        findUnique: async (query: Parameters<Database["apiKey"]["findUnique"]>[0]) => {
          if (broken) throw Object.assign(new Error("no connection"), { code: "ECONNREFUSED" });
          return postgres.db.apiKey.findUnique(query);
        },
      },
    },
  }) as Database;
  const cache = new KeyCache(failing, () => 0);
  await t.throwsAsync(async () => cache.find(plaintext), { code: "ECONNREFUSED" });
  broken = false;
  t.is((await cache.find(plaintext)).keyId, key.id);
});

const request = (remoteAddress: string, forwarded?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } }) as never;

for (const [what, remote, forwarded, expected] of [
  ["a client that claims to be another", "198.51.100.1", "1.2.3.4", "198.51.100.1"],
  ["one proxy", "10.0.0.1", "1.2.3.4", "1.2.3.4"],
  ["two proxies", "::ffff:10.0.0.1", "1.2.3.4, 10.9.9.9", "1.2.3.4"],
  ["a claim in front of what the proxy saw", "10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"],
  ["a claim of being a proxy", "10.0.0.1", "6.6.6.6, 10.3.3.3, 1.2.3.4, 10.9.9.9", "1.2.3.4"],
  ["a proxy that says nothing", "10.0.0.1", undefined, "10.0.0.1"],
  ["an empty header", "10.0.0.1", " , ", "10.0.0.1"],
  ["the header twice", "10.0.0.1", ["6.6.6.6", "1.2.3.4, 10.9.9.9"], "1.2.3.4"],
  ["ports", "10.0.0.1", "1.2.3.4:51044, 10.9.9.9:443", "1.2.3.4"],
  ["IPv6 with a port", "fd00::1", "[2001:db8::7]:51044", "2001:db8::7"],
  ["a hop that is no address", "10.0.0.1", "1.2.3.4, unknown", "unknown"],
] as const) {
  test(`X-Forwarded-For is believed as far as the proxies are ours: ${what}`, (t) => {
    const proxies = parseRanges(["10.0.0.0/8", "fd00::/8"]);
    t.is(clientAddress(request(remote, forwarded as string | undefined), proxies), expected);
  });
}

test("ranges hold IPv4, IPv6, CIDR, and IPv4 written as IPv6, on either side", (t) => {
  const ranges = parseRanges(["203.0.113.9", "198.51.100.0/24", "2001:db8::/32", "::ffff:192.0.2.0/120"]);
  for (const address of ["203.0.113.9", "198.51.100.255", "2001:db8:1::1", "::ffff:203.0.113.9", "192.0.2.77"]) {
    t.true(inRanges(address, ranges), address);
  }
  for (const address of ["203.0.113.10", "198.51.101.0", "2001:db9::1", "3405803785", "", "unknown"]) {
    t.false(inRanges(address, ranges), address);
  }
  t.true(inRanges("10.1.2.3", parseRanges(["0.0.0.0/0"])));
  t.false(inRanges("2001:db8::1", parseRanges(["0.0.0.0/0"])));
  for (const text of ["10.0.0.0/33", "10.1", "::/129", "10.0.0.0/x", "example.com", ""]) {
    t.throws(() => parseRanges([text]), undefined, text);
  }
});
