import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { type Dispatcher, fetch, Agent as HttpAgent, type RequestInit } from "undici";
import { createAuthority } from "../support/certificate.ts";
import { FaultProxy, type Rule } from "./fault-proxy.ts";

const authority = createAuthority();
const identity = authority.issue(["127.0.0.1"]);
const LINE = `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "one" } } })}\n`;

/** A server that counts its requests and answers with their number, behind the proxy with `rules`. */
async function open(t: ExecutionContext, ...rules: Rule[]) {
  let asked = 0;
  const server = createServer({ key: identity.key, cert: identity.cert }, (request, response) => {
    asked += 1;
    if (request.url?.includes("watch=true")) response.write(LINE.repeat(2));
    else response.writeHead(200, { "x-asked": request.headers.authorization ?? "" }).end(`{"asked":${asked}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = new FaultProxy({ url, authority: authority.cert, identity });
  await proxy.start();
  const dispatcher: Dispatcher = new HttpAgent({ connect: { ca: authority.cert } });
  t.teardown(async () => {
    await dispatcher.destroy();
    await proxy.stop();
    server.closeAllConnections();
    server.close();
  });
  for (const rule of rules) proxy.add(rule);
  const ask = (path: string, options: RequestInit = {}) => fetch(`${proxy.url}${path}`, { dispatcher, ...options });
  return { proxy, ask, asked: () => asked };
}

const PODS = "/api/v1/namespaces/n/pods";
const all = () => true;

test("without a rule everything passes, and calls are known by what they ask for", async (t) => {
  const { proxy, ask } = await open(t);
  const answer = await ask(PODS, { headers: { authorization: "Bearer x" } });
  t.deepEqual([answer.status, answer.headers.get("x-asked"), await answer.text()], [200, "Bearer x", '{"asked":1}']);
  await ask("/apis/escriba.dev/v1alpha1/namespaces/n/workerpools/p/status", { method: "PUT", body: "{}" });
  await ask("/apis/coordination.k8s.io/v1/namespaces/n/leases/l");
  await ask("/apis/escriba.dev/v1alpha1/workerpools");
  t.deepEqual(
    proxy.calls.map(({ method, resource, list, watch }) => `${method} ${resource} ${list} ${watch}`),
    [
      "GET pods true false",
      "PUT workerpools/status false false",
      "GET leases false false",
      "GET workerpools true false",
    ],
  );
});

test("a refusal is a Status, reaches nobody, and is used up", async (t) => {
  const { ask, asked } = await open(t, { on: all, times: 1, fault: { kind: "status", code: 429, reason: "TooMany" } });
  const refused = await ask(PODS);
  t.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  t.like(await refused.json(), { kind: "Status", code: 429, reason: "TooMany" });
  t.is(asked(), 0);
  t.is((await ask(PODS)).status, 200);
});

test("an answer is lost after the work is done", async (t) => {
  const { ask, asked } = await open(t, { on: all, times: 1, fault: { kind: "unanswered" } });
  await t.throwsAsync(ask(PODS, { method: "POST", body: "{}" }));
  t.is(asked(), 1);
});

test("an answer is cut in the middle; a watch ends within a line or is told that it is too old", async (t) => {
  const { proxy, ask } = await open(t, { on: all, times: 2, fault: { kind: "truncated" } });
  await t.throwsAsync(ask(PODS).then((answer) => answer.text()));
  await t.throwsAsync(ask(`${PODS}?watch=true`).then((answer) => answer.text()));
  proxy.add({ on: ({ watch }) => watch, fault: { kind: "gone" } });
  t.like(await (await ask(`${PODS}?watch=true`)).json(), { type: "ERROR", object: { code: 410 } });
});

test("silence lasts until the proxy is healed", async (t) => {
  const { proxy, ask } = await open(t, { on: all, fault: { kind: "silent" } });
  const waiting = ask(PODS);
  while (proxy.met === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  proxy.heal();
  await t.throwsAsync(waiting);
  t.is((await ask(PODS)).status, 200);
});

test("a stale list is the one of when the rule was made", async (t) => {
  const { proxy, ask } = await open(t);
  t.is(await (await ask(PODS)).text(), '{"asked":1}');
  proxy.add({ on: ({ list }) => list, times: 1, fault: { kind: "stale" } });
  t.is(await (await ask(PODS)).text(), '{"asked":1}');
  t.is(await (await ask(PODS)).text(), '{"asked":2}');
});
