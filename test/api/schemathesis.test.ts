import test from "ava";
import { routes } from "../../api/routes.ts";
import { runSchemathesis } from "./schemathesis.ts";

test("schemathesis: no 5xx, no undocumented status or header, no answer outside its schema, on every route", async (t) => {
  t.timeout(300_000);
  const { code, output, routes: called, statuses } = await runSchemathesis({ examples: 40, seed: 20261121 });
  t.is(code, 0, output);
  for (const { method, path } of routes) t.true(called.has(`${method} ${path}`), `${method} ${path} was not called`);
  for (const status of [200, 202, 400, 401, 404, 405]) t.true(statuses.has(status), `${status} was never answered`);
  for (const status of statuses) t.true(status < 500, output);
});
