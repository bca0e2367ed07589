import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { examineOperator } from "../../../cli/doctor/operator.ts";
import { startHarness } from "../../api/harness.ts";
import { examined, outcomes } from "./examined.ts";

const examine = (environment: Record<string, string>) => examined("operator", examineOperator, environment);
const demand = (observedAt: Date, chunks = 3) => ({
  version: 1,
  observedAt: observedAt.toISOString(),
  organizations: [
    {
      id: "abc",
      queues: { speech: { outstandingChunks: chunks, outstandingSeconds: 90, waitingSince: null } },
      speechSlots: 32,
    },
  ],
});

async function serve(t: ExecutionContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The endpoint with the faults that the real one cannot be made to show. */
const endpoint =
  (body: () => unknown, token = "secret"): RequestListener =>
  (request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) response.statusCode = 401;
    response.end(response.statusCode === 401 ? "" : JSON.stringify(body()));
  };

test("demand that is fresh and guarded is well; old, of another form, unguarded or refused is told", async (t) => {
  const check = async (body: () => unknown, token?: string) =>
    examine({
      ESCRIBA_DOCTOR_DEMAND_URL: await serve(t, endpoint(body, token)),
      ESCRIBA_DEMAND_TOKEN: "secret",
    });
  const well = await check(() => demand(new Date()));
  t.deepEqual(outcomes(well), { demand: "ok", "demand token": "ok" });
  t.like(well.demand, { said: "1 organizations wait for 3 chunks, 90 s of audio" });
  const old = await check(() => demand(new Date(Date.now() - 31_000)));
  t.is(old.demand?.outcome, "failed");
  t.regex(old.demand?.said ?? "", /31 s behind/);
  t.like((await check(() => ({ version: 2 }))).demand, { outcome: "failed" });
  t.deepEqual((await check(() => demand(new Date()), "other")).demand?.remedy, [
    "ESCRIBA_DEMAND_TOKEN must be the API's own",
  ]);
  const open = await serve(t, (_, response) => response.end(JSON.stringify(demand(new Date()))));
  t.is((await examine({ ESCRIBA_DOCTOR_DEMAND_URL: open }))["demand token"]?.outcome, "failed");
  const absent = await serve(t, (_, response) => response.writeHead(404).end());
  t.regex((await examine({ ESCRIBA_DOCTOR_DEMAND_URL: absent })).demand?.remedy?.[0] ?? "", /without it there is no/);
});

test("the real API's demand endpoint is well with its token, and refuses without", async (t) => {
  const harness = await startHarness({ ESCRIBA_DEMAND_TOKEN: "secret" });
  t.teardown(() => harness.stop());
  const url = harness.api.metricsUrl.replace(/metrics$/, "internal/demand");
  const settings = { ESCRIBA_DOCTOR_DEMAND_URL: url, ESCRIBA_DEMAND_TOKEN: "secret" };
  t.deepEqual(outcomes(await examine(settings)), { demand: "ok", "demand token": "ok" });
  const wrong = await examine({ ...settings, ESCRIBA_DEMAND_TOKEN: "other" });
  t.deepEqual(outcomes(wrong), { demand: "failed" });
});

test("an operator that lives, leads, waits or says why it is not ready", async (t) => {
  const operator = (leader: number, ready = true): RequestListener => {
    return ({ url }, response) => {
      if (url === "/metrics") response.end(`escriba_operator_leader{process="operator"} ${leader}\n`);
      else if (url === "/readyz" && !ready) response.writeHead(503).end("no list of pods yet\n");
      else response.end("ok\n");
    };
  };
  const check = async (listener: RequestListener) => examine({ ESCRIBA_DOCTOR_OPERATOR_URL: await serve(t, listener) });
  const all = { "operator alive": "ok", "operator ready": "ok", "operator leads": "ok" };
  t.deepEqual(outcomes(await check(operator(1))), all);
  t.deepEqual(outcomes(await check(operator(0))), { ...all, "operator leads": "warning" });
  const waiting = await check(operator(0, false));
  t.regex(waiting["operator ready"]?.said ?? "", /answers 503: no list of pods yet$/);
});

test("without an address there is nothing to look at", async (t) => {
  t.like((await examine({})).configured, { outcome: "skipped" });
});
