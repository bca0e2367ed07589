import test from "ava";
import { Counter, createRegistry, serveMetrics } from "../../process/metrics.ts";

test("serves metrics, liveness and readiness on a listener of its own", async (t) => {
  const registry = createRegistry("probe");
  new Counter({ name: "escriba_probe_total", help: "A count.", registers: [registry] }).inc(3);
  const state = { fault: "database: no answer" as string | undefined };
  const ready = async () => {
    if (state.fault) throw new Error(state.fault);
  };
  const server = await serveMetrics(registry, { ready }, { host: "127.0.0.1", port: 0 });
  t.teardown(server.close);
  const get = async (path: string) => {
    const response = await fetch(new URL(path, server.url));
    return { status: response.status, body: await response.text() };
  };

  const metrics = await get("/metrics");
  t.true(metrics.body.includes('escriba_probe_total{process="probe"} 3'));
  t.true(metrics.body.includes("nodejs_eventloop_lag_p99_seconds"));
  t.is((await get("/livez")).status, 200);
  t.deepEqual(await get("/readyz"), { status: 503, body: "database: no answer\n" });
  state.fault = undefined;
  t.is((await get("/readyz")).status, 200);
  t.is((await get("/elsewhere")).status, 404);
});

test("a process that says it hangs is not alive", async (t) => {
  const live = () => {
    throw new Error("nothing has moved for 61 s");
  };
  const health = { ready: async () => undefined, live };
  const server = await serveMetrics(createRegistry("hung"), health, { host: "127.0.0.1", port: 0 });
  t.teardown(server.close);
  const response = await fetch(new URL("/livez", server.url));
  t.deepEqual([response.status, await response.text()], [503, "nothing has moved for 61 s\n"]);
});

test("two processes in one test have registries of their own", async (t) => {
  const [one, two] = [createRegistry("one"), createRegistry("two")];
  new Counter({ name: "escriba_same_total", help: "One.", registers: [one] }).inc();
  t.notThrows(() => new Counter({ name: "escriba_same_total", help: "Two.", registers: [two] }));
  t.false((await two.metrics()).includes('process="one"'));
});

test("says which address is taken", async (t) => {
  const ready = async () => undefined;
  const first = await serveMetrics(createRegistry("a"), { ready }, { host: "127.0.0.1", port: 0 });
  t.teardown(first.close);
  const { port } = new URL(first.url);
  await t.throwsAsync(serveMetrics(createRegistry("b"), { ready }, { host: "127.0.0.1", port: Number(port) }), {
    message: new RegExp(port),
  });
});
