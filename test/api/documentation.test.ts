import { request } from "node:http";
import { Validator } from "@seriousme/openapi-schema-validator";
import test from "ava";
import * as z from "zod";
import { ERRORS } from "../../api/errors/table.ts";
import { openApiDocument } from "../../api/openapi/document.ts";
import { errorsOf } from "../../api/route.ts";
import { routes } from "../../api/routes.ts";
import { deliveredEvents } from "../../api/schemas/events.ts";
import { DELIVERED_EVENTS } from "../../webhooks/events.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

let harness: Harness;
let tenant: Tenant;
test.before(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
});
test.after.always(() => harness?.stop());

const DOCS_URL = "https://docs.example";
// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that are tested to exist
const document = JSON.parse(JSON.stringify(openApiDocument(routes, { docsUrl: DOCS_URL }))) as any;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Webhooks = Record<string, { post: any }>;
// biome-ignore lint/suspicious/noExplicitAny: as above
const resolve = (value: any) => (value.$ref ? document.components.responses[value.$ref.split("/").at(-1)] : value);

test("GET /openapi.json is an OpenAPI 3.1 document, as an independent validator reads it", async (t) => {
  const { status, text, headers } = await tenant.call("GET", "/openapi.json", { key: null });
  t.is(status, 200);
  t.is(headers.get("Content-Type"), "application/json; charset=utf-8");
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(text));
  t.true(valid, JSON.stringify(errors));
  t.is(validator.version, "3.1");
});

test("every route is an operation with its scope, its success and each of its codes, shown by the body a client gets", (t) => {
  for (const route of routes) {
    const operation = document.paths[route.path][route.method.toLowerCase()];
    t.is(operation.operationId, route.operation);
    const scopes = route.access === "any key" ? [] : [route.access];
    t.deepEqual(operation.security, route.access === "public" ? [] : [{ ApiKey: scopes }], route.operation);
    t.truthy(operation.responses[route.success.status], route.operation);
    const statuses = new Set([route.success.status, ...errorsOf(route).map((code) => ERRORS[code].status)]);
    t.deepEqual(Object.keys(operation.responses).map(Number).sort(), [...statuses].sort(), route.operation);
    for (const code of errorsOf(route)) {
      const { content, headers } = resolve(operation.responses[ERRORS[code].status]);
      const { error } = content["application/json"].examples[code].value;
      t.is(error.message, ERRORS[code].message);
      t.is(error.doc_url, `${DOCS_URL}/errors#${code}`);
      t.truthy(headers["Service-Request-Id"]);
    }
  }
});

test("the document names defaults, limits, headers and the key", (t) => {
  const { post, get } = document.paths["/v1/transcripts"];
  const header = post.parameters.find(({ name }: { name: string }) => name === "Idempotency-Key");
  t.like(header, { in: "header", schema: { type: "string" } });
  t.falsy(header.required);
  t.truthy(post.responses[202].headers["Idempotency-Replayed"]);
  t.truthy(resolve(post.responses[429]).headers["Retry-After"]);
  t.like(get.parameters[0], {
    name: "limit",
    schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  });
  const { properties } = document.components.schemas.TranscriptRequest;
  t.is(properties.language.default, "auto");
  t.like(properties.custom_vocabulary.anyOf[0], { maxItems: 1_000, items: { maxLength: 80 } });
  t.is(properties.language_hints.anyOf[0].maxItems, 10);
  t.like(document.components.securitySchemes.ApiKey, { type: "http", scheme: "bearer" });
  t.like(document.paths["/v1/files"].post.requestBody.content["multipart/form-data"].schema, {
    $ref: "#/components/schemas/FileUpload",
  });
});

test("webhooks: each delivered event with its body, signature and id; the stream of chat with its chunks", (t) => {
  t.deepEqual(Object.keys(document.webhooks).sort(), [...DELIVERED_EVENTS].sort());
  for (const [name, { post }] of Object.entries(document.webhooks as Webhooks)) {
    const { schema, examples } = post.requestBody.content["application/json"];
    t.regex(schema.$ref, /^#\/components\/schemas\/Event/);
    t.is(examples.example1.value.event, name);
    t.deepEqual(
      post.parameters.map((parameter: { name: string }) => parameter.name),
      ["Service-Signature", "Service-Event-Id"],
    );
    t.regex(post.parameters[0].schema.example, new RegExp(post.parameters[0].schema.pattern));
  }
  const stream = document.paths["/v1/chat/completions"].post.responses[200].content["text/event-stream"];
  t.regex(stream.example, /^data: \{"id":"chatcmpl_.*\n\ndata: \[DONE\]\n\n$/s);
  t.truthy(document.components.schemas.ChatCompletionChunk);
});

test("every example of a request or an answer fits its schema, and each JSON answer is shown", (t) => {
  for (const { operation, request: asked, success } of routes) {
    for (const schema of [asked.json, success.body, success.events]) {
      if (!(schema instanceof z.ZodType)) continue;
      const examples = schema.meta()?.examples as unknown[] | undefined;
      t.true(examples && examples.length > 0, operation);
      for (const example of examples ?? []) t.notThrows(() => schema.parse(example), operation);
    }
  }
  for (const [name, body] of Object.entries(deliveredEvents)) {
    const examples = body.meta()?.examples as unknown[];
    for (const example of examples) t.notThrows(() => body.parse(example), name);
  }
});

test("the document is cached: an ETag answers 304, gzip is sent to who takes it, HEAD has no body", async (t) => {
  const first = await get("/openapi.json", {});
  const etag = String(first.headers.etag);
  t.is(first.headers["cache-control"], "public, max-age=300");
  t.is(first.headers["content-encoding"], undefined);
  const again = await get("/openapi.json", { "If-None-Match": etag });
  t.is(again.status, 304);
  t.is(again.bytes, 0);
  const packed = await get("/openapi.json", { "Accept-Encoding": "gzip" });
  t.is(packed.headers["content-encoding"], "gzip");
  t.true(packed.bytes < first.bytes / 4);
  t.is((await tenant.call("HEAD", "/openapi.json", { key: null })).status, 200);
  t.is((await tenant.call("POST", "/openapi.json", { key: null })).status, 404);
});

test("GET /docs and everything it refers to come from this server, under a policy that allows nothing else", async (t) => {
  for (const path of ["/docs", "/docs/errors"]) {
    const { status, text, headers } = await tenant.call("GET", path, { key: null });
    t.is(status, 200);
    const policy = headers.get("Content-Security-Policy") ?? "";
    t.true(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self'"));
    t.false(policy.includes("unsafe"));
    t.notRegex(text, /<style|style=|<script>|onload=/);
    const references = [...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, reference = ""]) => reference);
    t.true(references.length >= 3);
    for (const reference of references.filter((value) => !value.startsWith("data:"))) {
      t.false(/^[a-z]+:|^\//.test(reference), reference);
      const linked = await fetch(new URL(reference, harness.api.url + path));
      t.is(linked.status, 200, reference);
      t.true((await linked.text()).length > 100, reference);
    }
  }
});

test("doc_url leads to the code's own section when ESCRIBA_DOCS_URL is the server's /docs", async (t) => {
  const { text } = await tenant.call("GET", "/docs/errors", { key: null });
  for (const [code, { message }] of Object.entries(ERRORS)) {
    t.true(text.includes(`<section id="${code}">`), code);
    t.true(text.includes(message.replaceAll("<", "&lt;").replaceAll(">", "&gt;")), code);
  }
  const { body } = await tenant.call("GET", "/v1/me", { key: null });
  t.is(body.error.doc_url, "https://docs.escriba.dev/errors#missing_api_key");
});

/** Without the client's own unpacking. */
function get(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: import("node:http").IncomingHttpHeaders; bytes: number }>(
    (done, fail) => {
      request(harness.api.url + path, { headers }, (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, bytes }));
      })
        .on("error", fail)
        .end();
    },
  );
}
