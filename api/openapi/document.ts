import { readFileSync } from "node:fs";
import * as z from "zod";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import type { Route } from "../route.ts";
import { errorResponses } from "./errors.ts";
import { API_KEY, operation, tagOf } from "./operation.ts";
import { INTRODUCTION, TAGS } from "./texts.ts";
import { webhooks } from "./webhooks.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

/**
 * OpenAPI 3.1 of the routes. Everything about a route comes from its definition and its schemas, everything about an
 * error from the one table; `docsUrl` is where `doc_url` points.
 */
export function openApiDocument(routes: readonly Route[], { docsUrl }: { docsUrl: string }): OpenApiDocument {
  const errorsOf = errorResponses(docsUrl);
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(route, routes, errorsOf(route)),
    };
  }
  const events = routes.flatMap(({ success }) => success.events ?? []);
  const tags = [...new Set(routes.map(tagOf))];
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "Escriba",
      version: version(),
      description: INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This server" }],
    security: [{ [API_KEY]: [] }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? "" })),
    paths,
    webhooks: webhooks(),
    components: {
      schemas: Object.fromEntries(events.map((schema) => [String(schema.meta()?.id), schema])),
      securitySchemes: {
        [API_KEY]: {
          type: "http",
          scheme: "bearer",
          description: "A key: `sk_live_` and 32 letters or digits. The roles named by an operation are its scopes.",
        },
      },
    },
  });
}

function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
