import test from "ava";
import * as z from "zod";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
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

test("the definitions alone make an OpenAPI 3.1 document", (t) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const { path, method, operation, summary, request, success } of routes) {
    const { body } = success;
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: operation,
        summary,
        requestParams: {
          ...(request.path && { path: request.path as z.ZodObject }),
          ...(request.query && { query: request.query as z.ZodObject }),
        },
        ...(request.json && { requestBody: { content: { "application/json": { schema: request.json } } } }),
        responses: {
          [success.status]: {
            description: success.description,
            content: body instanceof z.ZodType ? { "application/json": { schema: body } } : { [body.contentType]: {} },
          },
        },
      },
    };
  }
  const document = createDocument({ openapi: "3.1.0", info: { title: "Escriba", version: "1" }, paths });
  const schemas = document.components?.schemas as Record<string, { properties: Record<string, object> }>;
  t.deepEqual(schemas.TranscriptRequest?.properties.custom_vocabulary, {
    anyOf: [{ type: "array", maxItems: 1_000, items: { type: "string", maxLength: 80 } }, { type: "null" }],
  });
  const list = document.paths?.["/v1/transcripts"]?.get?.parameters as { name: string; schema: object }[];
  t.deepEqual(
    list.map(({ name }) => name),
    ["limit", "status", "before"],
  );
  t.like(list[0], { schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } });
});
