import test from "ava";
import { behindToken } from "../../process/bearer.ts";
import { createRegistry, serveMetrics } from "../../process/metrics.ts";

const ready = async () => undefined;
const listen = { host: "127.0.0.1", port: 0 };

test("a process's own routes are JSON, by path and method, and a fault is a 503 with its message", async (t) => {
  const server = await serveMetrics(createRegistry("probe"), { ready }, listen, {
    "/thing": { GET: () => ({ status: 200, body: { a: 1 } }), POST: () => ({ status: 202 }) },
    "/broken": {
      GET: async () => {
        throw new Error("database: no answer");
      },
    },
  });
  t.teardown(server.close);
  const ask = (path: string, method = "GET", body?: string) =>
    fetch(new URL(path, server.url), { method, ...(body && { body }) });
  const thing = await ask("/thing?x=1");
  t.is(thing.headers.get("content-type"), "application/json");
  t.deepEqual(await thing.json(), { a: 1 });
  t.is((await ask("/thing", "POST", "x".repeat(100_000))).status, 202);
  const wrong = await ask("/thing", "DELETE");
  t.is(wrong.status, 405);
  t.is(wrong.headers.get("allow"), "GET, POST");
  const broken = await ask("/broken");
  t.is(broken.status, 503);
  t.is(await broken.text(), "database: no answer\n");
  for (const path of ["/things", "/toString", "/__proto__"]) t.is((await ask(path)).status, 404);
});

test("behind a token only who has it is answered; metrics stay open", async (t) => {
  const routes = behindToken("s3cret", { "/thing": { GET: () => ({ status: 200, body: {} }) } });
  const server = await serveMetrics(createRegistry("probe"), { ready }, listen, routes);
  t.teardown(server.close);
  const ask = async (authorization?: string) =>
    (await fetch(new URL("/thing", server.url), { headers: authorization ? { authorization } : {} })).status;
  t.is(await ask("Bearer s3cret"), 200);
  for (const wrong of [undefined, "Bearer ", "Bearer s3cre", "Bearer s3cret1", "s3cret", "bearer s3cret"]) {
    t.is(await ask(wrong), 401, wrong ?? "none");
  }
  t.is((await fetch(server.url)).status, 200);
});
