import test from "ava";
import { readBalance } from "../../billing/credit.ts";
import { type Double, fails, hangs, type Seen, startDouble } from "../upstream/double.ts";
import { embeds } from "../upstream/embeds.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

const MODEL = "service-embed-1";

let upstream: Double;
let harness: Harness;
test.before(async () => {
  upstream = await startDouble();
  const servers = { [MODEL]: { url: upstream.url, model: "theirs" } };
  harness = await startHarness(
    { ESCRIBA_UPSTREAMS: JSON.stringify(servers) },
    { upstream: { timing: { firstWaitMs: 1 } } },
  );
});
test.after.always(async () => {
  await harness?.stop();
  await upstream?.stop();
});
test.beforeEach(() => {
  upstream.answer(embeds());
  upstream.seen.length = 0;
});

const embed = (tenant: Tenant, key: string, input: unknown, more: object = {}) =>
  tenant.call("POST", "/v1/embeddings", {
    json: { model: MODEL, input, ...more },
    headers: { "Idempotency-Key": key },
  });
const replayed = ({ headers }: { headers: Headers }) => headers.get("Idempotency-Replayed");
const left = ({ organizationId }: Tenant) => readBalance(harness.postgres.db, organizationId);

/** Asks until it is so: what a process does after its client has gone is not announced to anybody. */
async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test.serial("a replay has the first answer's bytes and a fresh id, asks no upstream and costs nothing", async (t) => {
  const tenant = await harness.tenant();
  const first = await embed(tenant, "a", ["hola", "adiós"], { encoding_format: "base64" });
  t.is(first.status, 200);
  t.is(replayed(first), null);
  const { balance } = await left(tenant);
  const second = await embed(tenant, "a", ["hola", "adiós"], { encoding_format: "base64" });
  t.is(replayed(second), "true");
  t.is(second.text, first.text);
  t.not(second.headers.get("Service-Request-Id"), first.headers.get("Service-Request-Id"));
  t.is(upstream.seen.length, 1);
  t.is((await left(tenant)).balance, balance);
});

test.serial("409 idempotency_key_reused: the same key with another text", async (t) => {
  const tenant = await harness.tenant();
  await embed(tenant, "b", "uno");
  const { status, body, headers } = await embed(tenant, "b", "dos");
  t.is(status, 409);
  t.is(body.error.code, "idempotency_key_reused");
  t.is(headers.get("x-should-retry"), "false");
});

test.serial("a failure is not remembered: the retry runs, and is billed once", async (t) => {
  const tenant = await harness.tenant();
  upstream.answer(fails(401), embeds());
  t.is((await embed(tenant, "c", "hola")).status, 503);
  const retry = await embed(tenant, "c", "hola");
  t.is(retry.status, 200);
  t.is(replayed(retry), null);
  t.like(await left(tenant), { balance: "99.999998880", held: "0.000000000" });
});

test.serial("20 requests at once with one key: one asks the upstream, 19 are replays, one charge", async (t) => {
  const tenant = await harness.tenant();
  const replies = await Promise.all(Array.from({ length: 20 }, () => embed(tenant, "d", "hola")));
  t.deepEqual(new Set(replies.map(({ text }) => text)).size, 1);
  t.is(replies.filter((reply) => replayed(reply) === "true").length, 19);
  t.is(upstream.seen.length, 1);
  t.is((await left(tenant)).balance, "99.999998880");
});

/** Sends, waits until the upstream has every request of it, and leaves. */
async function leave(
  tenant: Tenant,
  requests: number,
  headers: Record<string, string>,
  input: unknown,
): Promise<Seen[]> {
  const gone = new AbortController();
  const sent = fetch(`${harness.api.url}/v1/embeddings`, {
    method: "POST",
    headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ model: MODEL, input }),
    signal: gone.signal,
  });
  await upstream.arrived(requests);
  gone.abort();
  await sent.catch(() => undefined);
  return upstream.seen.slice(0, requests);
}

test.serial(
  "the client goes, no key: every request to the upstream is cut, nothing billed, nothing held",
  async (t) => {
    const tenant = await harness.tenant();
    upstream.answer(hangs);
    const asked = await leave(tenant, 4, {}, Array(256).fill("hola"));
    await Promise.all(asked.map(({ closed }) => closed));
    await until(async () => (await left(tenant)).held === "0.000000000");
    t.is((await left(tenant)).balance, "100.000000000");
    t.is(upstream.seen.length, 4);
  },
);

test.serial("the client goes, with a key: the call runs on, and the retry finds its answer, billed once", async (t) => {
  const tenant = await harness.tenant();
  upstream.answer(hangs);
  const [asked] = await leave(tenant, 1, { "Idempotency-Key": "e" }, "hola");
  const retry = embed(tenant, "e", "hola");
  embeds()(asked as Seen);
  const reply = await retry;
  t.is(reply.status, 200);
  t.is(replayed(reply), "true");
  t.is(upstream.seen.length, 1);
  t.like(await left(tenant), { balance: "99.999998880", held: "0.000000000" });
});

test.serial(
  "the key's lease goes to another request: this one is not billed and gets the other's answer",
  async (t) => {
    const tenant = await harness.tenant();
    const { db } = harness.postgres;
    upstream.answer(hangs, embeds());
    const first = embed(tenant, "f", "hola");
    const asked = await upstream.arrived(1);
    await db.idempotencyKey.updateMany({
      where: { organizationId: tenant.organizationId },
      data: { leasedUntil: new Date(0) },
    });
    const second = await embed(tenant, "f", "hola");
    t.is(replayed(second), null);
    embeds()(asked);
    const reply = await first;
    t.is(replayed(reply), "true");
    t.is(reply.text, second.text);
    t.like(await left(tenant), { balance: "99.999998880", held: "0.000000000" });
  },
);

test.serial("503 upstream_unavailable where no server is configured; nothing is held", async (t) => {
  const bare = await startHarness();
  try {
    const tenant = await bare.tenant();
    const { status, body } = await embed(tenant, "g", "hola");
    t.is(status, 503);
    t.is(body.error.code, "upstream_unavailable");
    t.is((await readBalance(bare.postgres.db, tenant.organizationId)).balance, "100.000000000");
  } finally {
    await bare.stop();
  }
});
