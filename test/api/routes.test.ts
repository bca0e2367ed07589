import test from "ava";
import { ERRORS } from "../../api/errors/table.ts";
import { routes } from "../../api/routes.ts";

test("every route is named once, announces codes of the table, and says 404 where it takes an id", (t) => {
  t.is(new Set(routes.map(({ operation }) => operation)).size, routes.length);
  t.is(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length);
  for (const { errors, path, operation, request } of routes) {
    for (const code of errors) t.true(code in ERRORS, `${operation}: ${code}`);
    t.is(path.includes("{"), errors.includes("resource_not_found") && request.path !== undefined, operation);
  }
});
