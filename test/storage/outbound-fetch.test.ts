import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import { OutboundError, type OutboundFailure } from "../../storage/outbound-connection.ts";
import { type OutboundOptions, outboundFetch } from "../../storage/outbound-fetch.ts";
import { isReachable, parseNetworks } from "../../storage/public-address.ts";

const LIMITS = { maxBytes: 1_000_000, timeoutMs: 20_000 };
/** What a test may reach: our own server on loopback. */
const LOOPBACK = { ...LIMITS, allowed: parseNetworks(["127.0.0.0/8"]) };

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function refused(t: ExecutionContext, code: OutboundFailure, url: string, options: OutboundOptions = LOOPBACK) {
  const error = await t.throwsAsync(
    async () => text((await outboundFetch(url, options)).body),
    { instanceOf: OutboundError },
    url,
  );
  t.is((error as OutboundError | undefined)?.code, code, url);
  return error as OutboundError;
}

test("a public answer streams through with what it said about itself", async (t) => {
  const base = await serve(t, (request, response) => {
    response.setHeader("Content-Type", "audio/mpeg");
    response.end(`${request.url} ${request.headers["accept-encoding"]}`);
  });
  const answer = await outboundFetch(`${base}/a.mp3?x=1`, LOOPBACK);
  t.like(answer, { url: `${base}/a.mp3?x=1`, contentType: "audio/mpeg" });
  t.is(await text(answer.body), "/a.mp3?x=1 identity");
});

test("private, loopback, link-local, metadata, mapped and odd spellings are blocked", async (t) => {
  const base = await serve(t, (_request, response) => response.end("secret"));
  const { port } = new URL(base);
  for (const host of [
    ...["127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "0.0.0.0", "127.0.0.1."],
    ...[
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[::]",
      "[fe80::1]",
      "[fd00::1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
    ],
    ...[
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "224.0.0.1",
      "255.255.255.255",
      "198.18.0.1",
    ],
  ]) {
    await refused(t, "blocked_address", `http://${host}:${port}/`, LIMITS);
  }
});

test("a name that resolves to a private address is blocked; the checked address is the one connected to", async (t) => {
  const hosts: (string | undefined)[] = [];
  const base = await serve(t, (request, response) => {
    hosts.push(request.headers.host);
    response.end("ok");
  });
  const { port } = new URL(base);
  const url = `http://recordings.example.com:${port}/`;
  await refused(t, "blocked_address", url, { ...LIMITS, resolve: async () => ["10.0.0.1", "127.0.0.1"] });
  // A name server that answers differently the second time is never asked a second time.
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return [asked === 1 ? "127.0.0.1" : "10.9.9.9"];
  };
  t.is(await text((await outboundFetch(url, { ...LOOPBACK, resolve })).body), "ok");
  t.is(asked, 1);
  t.deepEqual(hosts, [`recordings.example.com:${port}`]);
});

test("redirects are followed five times, each checked again", async (t) => {
  const base = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end("there");
    else response.writeHead(302, { location: left === 99 ? "http://169.254.169.254/latest" : `/${left - 1}` }).end();
  });
  t.is(await text((await outboundFetch(`${base}/5`, LOOPBACK)).body), "there");
  await refused(t, "too_many_redirects", `${base}/6`);
  await refused(t, "blocked_address", `${base}/99`);
});

test("a redirect to another scheme is refused", async (t) => {
  const base = await serve(t, (_request, response) =>
    response.writeHead(301, { location: "file:///etc/passwd" }).end(),
  );
  await refused(t, "invalid_url", base);
});

test("only http and https, and no password in the URL", async (t) => {
  for (const url of [
    "ftp://example.com/a",
    "file:///etc/passwd",
    "data:audio/wav,x",
    "example.com",
    "",
    "http://u:p@example.com/",
  ]) {
    await refused(t, "invalid_url", url);
  }
});

test("an announced size over the limit is refused unread, an unannounced one is cut", async (t) => {
  let sent = 0;
  const base = await serve(t, async (request, response) => {
    if (request.url === "/announced") response.setHeader("Content-Length", "2000000");
    for (let chunk = 0; chunk < 20 && !response.destroyed; chunk++) {
      sent += 100_000;
      response.write(Buffer.alloc(100_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await refused(t, "too_large", `${base}/announced`);
  await refused(t, "too_large", `${base}/chunked`);
  t.true(sent > 0);
});

test("an error status is its own failure", async (t) => {
  const base = await serve(t, (_request, response) => response.writeHead(404).end("no"));
  t.is((await refused(t, "http_status", base)).status, 404);
});

test("silence ends: before the headers, in the body, and over the whole time", async (t) => {
  const base = await serve(t, (request, response) => {
    if (request.url === "/body") response.write("some");
    if (request.url === "/drip") {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    }
  });
  await refused(t, "timeout", `${base}/headers`, { ...LOOPBACK, idleTimeoutMs: 300 });
  await refused(t, "timeout", `${base}/body`, { ...LOOPBACK, idleTimeoutMs: 300 });
  await refused(t, "timeout", `${base}/drip`, { ...LOOPBACK, timeoutMs: 400 });
});

test("a broken body and a closed port are unreachable; nothing says which address it was", async (t) => {
  const base = await serve(t, (_request, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("half");
    setImmediate(() => response.destroy());
  });
  const error = await refused(t, "unreachable", base);
  t.false(error.message.includes("127.0.0.1"));
  await refused(t, "unreachable", "http://127.0.0.1:1/");
  await refused(t, "unreachable", "http://no-such-host.invalid/", {
    ...LIMITS,
    resolve: async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    },
  });
});

test("the caller's abort ends it with the caller's reason", async (t) => {
  const base = await serve(t, (_request, response) => {
    response.write("some");
  });
  const abort = new AbortController();
  const { body } = await outboundFetch(base, { ...LOOPBACK, signal: abort.signal });
  setImmediate(() => abort.abort(new Error("cancelled")));
  await t.throwsAsync(() => text(body), { message: "cancelled" });
});

test("networks are judged by kind, and bad ranges named", (t) => {
  const networks = parseNetworks(["10.1.0.0/16", "fd00::/8"]);
  t.true(isReachable("10.1.2.3", networks));
  t.true(isReachable("::ffff:10.1.2.3", networks));
  t.false(isReachable("10.2.2.3", networks));
  t.true(isReachable("fd12::1", networks));
  t.true(isReachable("93.184.216.34", []));
  t.true(isReachable("2606:2800:220:1::1", []));
  for (const unassigned of ["::127.0.0.1", "::10.0.0.1", "4000::1"]) t.false(isReachable(unassigned, []), unassigned);
  t.false(isReachable("not an address", networks));
  t.throws(() => parseNetworks(["10.1.0.0"]), { instanceOf: RangeError, message: /"10.1.0.0"/ });
});
