import { once } from "node:events";
import test, { type ExecutionContext } from "ava";
import Stripe from "stripe";
import { outboundPost } from "../../storage/outbound-post.ts";
import { parseNetworks } from "../../storage/public-address.ts";
import { type AttemptDependencies, makeAttempt } from "../../webhooks/attempt.ts";
import { newWebhookSecret } from "../../webhooks/secrets.ts";
import { createAuthority } from "../support/certificate.ts";
import { type Answer, authority, type Receiver, startReceiver, status } from "../support/receiver.ts";

const SECRET = newWebhookSecret();
const BODY = Buffer.from('{"id":"evt_1","event":"credit.low","note":"añadir €"}');
const LOOPBACK = parseNetworks(["127.0.0.0/8"]);

async function receiving(t: ExecutionContext, answer?: Answer): Promise<Receiver> {
  const receiver = await startReceiver();
  if (answer) receiver.answer = answer;
  t.teardown(() => receiver.close());
  return receiver;
}

function attempt(url: string, network: Partial<AttemptDependencies["network"]> = {}) {
  const resolve = async () => ["127.0.0.1"];
  const dependencies = {
    post: outboundPost,
    now: Date.now,
    network: { allowed: LOOPBACK, ca: [authority.cert], resolve, timeoutMs: 20_000, ...network },
  };
  return makeAttempt(dependencies, "evt_1", { url, body: BODY }, SECRET);
}

test("a 2xx is delivered; body, event id, type and signature are what the receiver sees", async (t) => {
  for (const code of [200, 201, 202, 204, 299]) {
    const receiver = await receiving(t, status(code));
    const before = Math.floor(Date.now() / 1000);
    t.deepEqual(await attempt(`${receiver.url}/hooks?x=1`), { status: "delivered", responseStatus: code, error: null });
    const [seen] = receiver.received;
    if (!seen) return t.fail();
    t.deepEqual(seen.body, BODY);
    t.is(seen.path, "/hooks?x=1");
    t.like(seen.headers, { "content-type": "application/json", "service-event-id": "evt_1" });
    t.is(seen.headers.host, new URL(receiver.url).host);
    const signed = Number(/^t=(\d+),v1=[0-9a-f]{64}$/.exec(String(seen.headers["service-signature"]))?.[1]);
    t.true(signed >= before && signed <= Date.now() / 1000);
  }
});

test("stripe's verifier accepts the signature, and refuses another secret, another body and an old time", async (t) => {
  const receiver = await receiving(t);
  await attempt(receiver.url);
  const header = String(receiver.received[0]?.headers["service-signature"]);
  const { webhooks } = new Stripe("sk_unused");
  t.like(webhooks.constructEvent(BODY, header, SECRET), { id: "evt_1", note: "añadir €" });
  t.throws(() => webhooks.constructEvent(BODY, header, newWebhookSecret()), { message: /signature/i });
  t.throws(() => webhooks.constructEvent(BODY, header, SECRET.replace("whsec_", "")), { message: /signature/i });
  t.throws(() => webhooks.constructEvent(`${BODY} `, header, SECRET), { message: /signature/i });
  const later = Math.floor(Date.now() / 1000) + 301;
  t.throws(() => webhooks.constructEvent(BODY, header, SECRET, 300, undefined, later * 1000), { message: /tolerance/ });
});

test("any other status is a failed attempt", async (t) => {
  for (const code of [400, 401, 404, 409, 410, 429, 500, 503]) {
    const receiver = await receiving(t, status(code));
    t.deepEqual(await attempt(receiver.url), { status: "failed", responseStatus: code, error: "http_status" });
  }
});

test("a redirect is a failed attempt and is not followed, to a metadata address or anywhere", async (t) => {
  const other = await receiving(t);
  for (const location of ["http://169.254.169.254/latest/meta-data/", other.url, "/elsewhere"]) {
    const receiver = await receiving(t, (_, response) => response.writeHead(307, { location }).end());
    t.deepEqual(await attempt(receiver.url), { status: "failed", responseStatus: 307, error: "redirect" });
    t.is(receiver.received.length, 1);
  }
  t.is(other.received.length, 0);
});

test("a receiver that hangs runs into the time-out: before the headers, and while the name is sought", async (t) => {
  const receiver = await receiving(t, () => undefined);
  const late = { status: "failed", responseStatus: null, error: "timeout" } as const;
  t.deepEqual(await attempt(receiver.url, { timeoutMs: 300 }), late);
  t.is(receiver.received.length, 1);
  t.deepEqual(await attempt(receiver.url, { timeoutMs: 300, resolve: () => new Promise(() => undefined) }), late);
});

test("an endless body is not read to its end: the status line is the answer", async (t) => {
  const closed = Promise.withResolvers<void>();
  const receiver = await receiving(t, async (_, response) => {
    response.once("close", closed.resolve);
    response.writeHead(200);
    while (!response.destroyed) if (!response.write(Buffer.alloc(65_536))) await once(response, "drain");
  });
  t.like(await attempt(receiver.url), { status: "delivered", responseStatus: 200 });
  await closed.promise;
  // One that drips is left at the time-out.
  const dripping = await receiving(t, (_, response) => {
    const timer = setInterval(() => response.write("x"), 20);
    response.once("close", () => clearInterval(timer));
  });
  t.like(await attempt(dripping.url, { timeoutMs: 300 }), { status: "delivered" });
});

test("closing early: before an answer is a failed attempt, after the status line it was an answer", async (t) => {
  const failed = { status: "failed", responseStatus: null, error: "unreachable" } as const;
  const silent = await receiving(t, (_, _response, request) => request.socket.destroy());
  t.deepEqual(await attempt(silent.url), failed);
  const half = await receiving(t, (_, response, request) => {
    response.writeHead(200, { "Content-Length": "1000" }).write("half");
    setImmediate(() => request.socket.destroy());
  });
  t.like(await attempt(half.url), { status: "delivered" });
  const closed = await receiving(t);
  await closed.close();
  closed.close = async () => undefined;
  t.deepEqual(await attempt(closed.url), failed);
});

test("what is not a public address is blocked, named or literal, and never connected to", async (t) => {
  const receiver = await receiving(t);
  const blocked = { status: "blocked", responseStatus: null, error: "blocked_address" } as const;
  const { port } = new URL(receiver.url);
  for (const host of ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "2130706433"]) {
    t.deepEqual(await attempt(`https://${host}:${port}/`, { allowed: [] }), blocked, host);
  }
  t.deepEqual(await attempt(receiver.url, { allowed: [] }), blocked);
  t.is(receiver.received.length, 0);
});

test("a name that rebinds is asked once: the connection goes to the address that was checked", async (t) => {
  const receiver = await receiving(t);
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return asked === 1 ? ["127.0.0.1"] : ["169.254.169.254"];
  };
  t.like(await attempt(receiver.url, { resolve }), { status: "delivered" });
  t.is(asked, 1);
  t.like(await attempt(receiver.url, { resolve }), { status: "blocked" });
  t.is(receiver.received.length, 1);
});

test("a certificate must be trusted and be the host's", async (t) => {
  const receiver = await receiving(t);
  const refused = { status: "failed", responseStatus: null, error: "certificate" } as const;
  t.deepEqual(await attempt(receiver.url, { ca: [createAuthority().cert] }), refused);
  const other = await startReceiver(authority.issue(["other.test"]));
  t.teardown(() => other.close());
  t.deepEqual(await attempt(other.url), refused);
  t.is(receiver.received.length + other.received.length, 0);
});

test("a name that does not exist is a failed attempt", async (t) => {
  const resolve = async () => {
    throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
  };
  t.like(await attempt("https://no-such-host.test/", { resolve }), { status: "failed", error: "unreachable" });
});
