import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { systemClock } from "../../../operator/clock.ts";
import { SECRETS } from "../../../operator/kubernetes/resources.ts";
import { DemandAnswers, httpDemand } from "../../../operator/observe/demand.ts";
import { Tokens } from "../../../operator/observe/tokens.ts";
import { WorkerAnswers } from "../../../operator/observe/worker-answers.ts";
import { httpWorker } from "../../../operator/worker/http-worker.ts";
import { VirtualClock } from "../model/clock.ts";
import { MemoryApi } from "../model/memory-api.ts";

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const STATUS = { state: "serving", permits: 2, busy: 1, slots: 2, audioSecondsPerSecond: 12.5 } as const;

test("a worker is asked, drained and taken back with its token", async (t) => {
  const seen: string[] = [];
  const address = await serve(t, ({ method, url, headers }, response) => {
    seen.push(`${method} ${url} ${headers.authorization ?? "-"}`);
    const more = { version: 1, queues: { speech: {} }, startedAt: "2026-01-01T00:00:00Z" };
    response.end(JSON.stringify({ ...STATUS, ...more, state: method === "POST" ? "draining" : "serving" }));
  });
  t.deepEqual(await httpWorker.status(address, null), STATUS);
  t.is((await httpWorker.drain(address, "secret")).state, "draining");
  t.is((await httpWorker.undrain(address, "secret")).state, "serving");
  t.deepEqual(seen, ["GET /status -", "POST /drain Bearer secret", "DELETE /drain Bearer secret"]);
});

test("what is no worker's status is no answer", async (t) => {
  const bodies = [
    "{}",
    "hello",
    JSON.stringify({ ...STATUS, version: 2 }),
    JSON.stringify({ ...STATUS, version: 1, busy: -1 }),
  ];
  for (const body of bodies) {
    const address = await serve(t, (_, response) => response.end(body));
    await t.throwsAsync(httpWorker.status(address, null), undefined, body);
  }
  const large = await serve(t, (_, response) => response.end(" ".repeat(100_000)));
  await t.throwsAsync(httpWorker.status(large, null), { message: /more than 65536 bytes/ });
});

test("an answer holds for a while; silence delays nobody else and is not asked twice at a time", async (t) => {
  const clock = new VirtualClock();
  let asked = 0;
  const silent = new Promise<never>(() => undefined);
  const worker = {
    ...httpWorker,
    status: async (address: string) => {
      asked += 1;
      return address === "silent" ? silent : STATUS;
    },
  };
  const answers = new WorkerAnswers(worker, clock);
  const pod = (uid: string, address: string) => ({ uid, address, token: async () => null, refused: () => undefined });
  const pods = [pod("s", "silent"), ...Array.from({ length: 100 }, (_, index) => pod(`p${index}`, "well"))];
  void answers.refresh(pods);
  await clock.advance(1);
  void answers.refresh(pods);
  await clock.advance(1);
  t.is(asked, 201, "the silent one once");
  t.deepEqual(answers.of("p99"), STATUS);
  t.is(answers.of("s"), null);
  await clock.advance(4_000);
  t.deepEqual(answers.of("p99"), STATUS);
  await clock.advance(2_000);
  t.is(answers.of("p99"), null);
});

test("what a drain said is not undone by an answer from before it", async (t) => {
  const clock = new VirtualClock();
  const late = Promise.withResolvers<typeof STATUS>();
  const answers = new WorkerAnswers({ ...httpWorker, status: () => late.promise }, clock);
  const asking = answers.refresh([{ uid: "p", address: "", token: async () => null, refused: () => undefined }]);
  const drained = { ...STATUS, state: "draining" as const, permits: 0, busy: 0 };
  answers.took("p", drained);
  late.resolve(STATUS);
  await asking;
  t.deepEqual(answers.of("p"), drained);
});

function demandOf(url: string, secrets: Record<string, string> = { token: "t0ken" }) {
  const api = new MemoryApi(systemClock);
  const data = Object.fromEntries(
    Object.entries(secrets).map(([key, value]) => [key, Buffer.from(`${value}\n`).toString("base64")]),
  );
  const created = api.create(SECRETS, { metadata: { name: "demand", namespace: "n" }, data });
  const address = { namespace: "n", url: `${url}/internal/demand`, tokenSecret: { name: "demand", key: "token" } };
  const demand = new DemandAnswers(httpDemand, new Tokens(api, systemClock), systemClock);
  return {
    async ask() {
      await created;
      await demand.refresh([address, address]);
      return demand.of(address);
    },
  };
}

const ORGANIZATIONS = [
  {
    id: "a",
    queues: { speech: { outstandingChunks: 3, outstandingSeconds: 90, waitingSince: null } },
    speechSlots: 32,
  },
];

test("demand is asked with the secret's token, once for all that name it", async (t) => {
  const seen: (string | undefined)[] = [];
  const url = await serve(t, ({ headers }, response) => {
    seen.push(headers.authorization);
    response.end(JSON.stringify({ version: 1, observedAt: new Date().toISOString(), organizations: ORGANIZATIONS }));
  });
  const { demand, error } = await demandOf(url).ask();
  t.deepEqual([demand?.organizations, error, seen], [ORGANIZATIONS, null, ["Bearer t0ken"]]);
});

test("the age of demand is told by the clock that wrote it", async (t) => {
  const theirs = Date.now() - 3_600_000; // their clock is an hour behind
  const url = await serve(t, (_, response) => {
    response.setHeader("date", new Date(theirs).toUTCString());
    const observedAt = new Date(theirs - 20_000).toISOString();
    response.end(JSON.stringify({ version: 1, observedAt, organizations: [] }));
  });
  const { demand } = await demandOf(url).ask();
  const age = Date.now() - Date.parse(demand?.observedAt ?? "");
  t.true(age > 15_000 && age < 60_000, `${age} ms`);
});

test("why there is no demand is said, and the last answer stays", async (t) => {
  let answer: { status: number; body: string } = {
    status: 200,
    body: JSON.stringify({ version: 1, observedAt: new Date().toISOString(), organizations: ORGANIZATIONS }),
  };
  const url = await serve(t, (_, response) => response.writeHead(answer.status).end(answer.body));
  const source = demandOf(url);
  t.is((await source.ask()).error, null);
  for (const [status, body, said] of [
    [401, "", /HTTP 401/],
    [200, '{"version":2}', /not a demand/],
    [200, "<html>", /JSON/],
  ] as const) {
    answer = { status, body };
    const { demand, error } = await source.ask();
    t.regex(error ?? "", said);
    t.deepEqual(demand?.organizations, ORGANIZATIONS);
  }
  t.regex((await demandOf(url, {}).ask()).error ?? "", /secret n\/demand has no key token/);
});

test("a token that is refused is read again", async (t) => {
  const api = new MemoryApi(systemClock);
  const secret = (value: string) => ({ token: Buffer.from(value).toString("base64") });
  const held = await api.create(SECRETS, { metadata: { name: "demand", namespace: "n" }, data: secret("old") });
  const url = await serve(t, ({ headers }, response) => {
    response.statusCode = headers.authorization === "Bearer new" ? 200 : 401;
    response.end(JSON.stringify({ version: 1, observedAt: new Date().toISOString(), organizations: [] }));
  });
  const demand = new DemandAnswers(httpDemand, new Tokens(api, systemClock), systemClock);
  const address = { namespace: "n", url, tokenSecret: { name: "demand", key: "token" } };
  await demand.refresh([address]);
  t.regex(demand.of(address).error ?? "", /401/);
  await api.replace(SECRETS, { ...held, data: secret("new") });
  await demand.refresh([address]);
  t.is(demand.of(address).error, null);
});
