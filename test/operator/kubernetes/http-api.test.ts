import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { Agent } from "undici";
import { ApiError, NoAnswer } from "../../../operator/kubernetes/api.ts";
import { counted } from "../../../operator/kubernetes/counted.ts";
import { httpApi } from "../../../operator/kubernetes/http-api.ts";
import { LEASES, PODS, WORKER_POOLS } from "../../../operator/kubernetes/resources.ts";

type Answer = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

/** A server that says what a real one would not say on demand. */
async function open(t: ExecutionContext, answer: Answer, callMs = 2_000) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    answer(Object.assign(request, { text }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const dispatcher = new Agent();
  t.teardown(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  let token = "old";
  const connection = {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: async (fresh = false) => {
      if (fresh) token = "new";
      return { headers: { authorization: `Bearer ${token}` }, dispatcher };
    },
    close: async () => undefined,
  };
  return httpApi(connection, callMs);
}

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

async function drain(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

test("paths, queries and bodies are those of the API", async (t) => {
  const seen: string[] = [];
  const api = await open(t, (request, response) => {
    const { method, url, headers, text } = request;
    seen.push(`${method} ${url} ${headers["content-type"] ?? "-"} ${text}`);
    json(response, 200, { metadata: { resourceVersion: "7" }, items: null });
  });
  t.deepEqual(await api.list(PODS, { labels: "a/b" }), { resourceVersion: "7", items: [] });
  await api.get(LEASES, "n", "l");
  const pool = { metadata: { name: "p", namespace: "n" }, spec: {} };
  await api.create(PODS, { ...pool, spec: { containers: [] } }, { dryRun: true });
  await api.replaceStatus(WORKER_POOLS, pool);
  await api.replaceScale(WORKER_POOLS, { ...pool, spec: { replicas: 1 } });
  await api.patch(PODS, "n", "p", { a: null });
  await api.delete(PODS, "n", "p", { uid: "u", resourceVersion: "9" });
  const preconditions = { uid: "u", resourceVersion: "9" };
  t.deepEqual(seen, [
    "GET /api/v1/pods?labelSelector=a%2Fb - ",
    "GET /apis/coordination.k8s.io/v1/namespaces/n/leases/l - ",
    `POST /api/v1/namespaces/n/pods?dryRun=All&fieldValidation=Strict application/json ${JSON.stringify({ ...pool, spec: { containers: [] } })}`,
    `PUT /apis/escriba.dev/v1alpha1/namespaces/n/workerpools/p/status application/json ${JSON.stringify(pool)}`,
    `PUT /apis/escriba.dev/v1alpha1/namespaces/n/workerpools/p/scale application/json ${JSON.stringify({ ...pool, spec: { replicas: 1 } })}`,
    'PATCH /api/v1/namespaces/n/pods/p application/merge-patch+json {"a":null}',
    `DELETE /api/v1/namespaces/n/pods/p application/json ${JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background", preconditions })}`,
  ]);
});

test("a refusal keeps its code, its reason, its words and the wait it asks for", async (t) => {
  const status = { kind: "Status", reason: "TooManyRequests", message: "later" };
  const api = await open(t, (_, response) => json(response, 429, status, { "retry-after": "3" }));
  const error = await t.throwsAsync(api.get(PODS, "n", "p"), { instanceOf: ApiError });
  t.like(error, { code: 429, reason: "TooManyRequests", message: "later", retryAfter: 3 });
});

test("a proxy's page is a refusal too", async (t) => {
  const api = await open(t, (_, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
  const error = await t.throwsAsync(api.get(PODS, "n", "p"), { instanceOf: ApiError });
  t.like(error, { code: 502, message: "<h1>Bad Gateway</h1>", retryAfter: null });
});

test("a token that is not accepted is read again, once", async (t) => {
  const seen: (string | undefined)[] = [];
  const api = await open(t, ({ headers }, response) => {
    seen.push(headers.authorization);
    json(response, headers.authorization === "Bearer new" ? 200 : 401, { kind: "Status", metadata: {} });
  });
  await api.get(PODS, "n", "p");
  t.deepEqual(seen, ["Bearer old", "Bearer new"]);
});

test("silence, a broken connection and half an answer are no answer", async (t) => {
  const silent = await open(t, () => undefined, 50);
  await t.throwsAsync(silent.get(PODS, "n", "p"), { instanceOf: NoAnswer, message: /no answer in time/ });
  const broken = await open(t, ({ socket }) => socket.destroy());
  await t.throwsAsync(broken.get(PODS, "n", "p"), { instanceOf: NoAnswer, message: /GET .*\/pods\/p/ });
  const half = await open(t, (_, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"metadata":');
    setTimeout(() => response.destroy(), 20);
  });
  await t.throwsAsync(half.get(PODS, "n", "p"), { instanceOf: NoAnswer });
});

test("a watch ends quietly with the server, and says when it broke or is too old", async (t) => {
  const event = { type: "ADDED", object: { metadata: { name: "a", resourceVersion: "8" } } };
  const watch = async (body: string, cut = false) => {
    const api = await open(t, ({ url }, response) => {
      t.regex(url ?? "", /watch=true.*timeoutSeconds=30.*resourceVersion=7/);
      response.writeHead(200).write(body);
      setTimeout(() => (cut ? response.destroy() : response.end()), 20);
    });
    return drain(api.watch(PODS, { resourceVersion: "7" }, new AbortController().signal));
  };
  t.deepEqual(await watch(`${JSON.stringify(event)}\n`), [event]);
  await t.throwsAsync(watch(`${JSON.stringify(event)}\n{"type":`), { instanceOf: NoAnswer });
  await t.throwsAsync(watch(`${JSON.stringify(event)}\n`, true), { instanceOf: NoAnswer });
  const expired = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } };
  const error = await t.throwsAsync(watch(`${JSON.stringify(expired)}\n`), { instanceOf: ApiError });
  t.like(error, { code: 410, reason: "Expired" });
});

test("a watch that is silent ends when it is asked to", async (t) => {
  const ended = Promise.withResolvers<void>();
  const end = new AbortController();
  const api = await open(t, (request, response) => {
    request.socket.once("close", () => ended.resolve());
    response.writeHead(200).flushHeaders();
    setTimeout(() => end.abort(), 20);
  });
  t.deepEqual(await drain(api.watch(PODS, { resourceVersion: "7" }, end.signal)), []);
  await ended.promise;
  t.pass();
});

test("every call is counted with how it ended", async (t) => {
  const calls: string[] = [];
  const answers = [200, 404, 0];
  const api = counted(
    await open(t, (_, response) => {
      const status = answers.shift() as number;
      if (status === 0) response.destroy();
      else json(response, status, { kind: "Status", metadata: {} });
    }),
    { inc: ({ verb, resource, code }) => calls.push(`${verb} ${resource} ${code}`) },
  );
  const lease = { metadata: { name: "l", namespace: "n" }, spec: {} };
  await api.replace(LEASES, lease);
  await t.throwsAsync(api.get(PODS, "n", "p"));
  await t.throwsAsync(drain(api.watch(PODS, { resourceVersion: "1" }, new AbortController().signal)));
  t.deepEqual(calls, ["update leases 200", "get pods 404", "watch pods none"]);
});
