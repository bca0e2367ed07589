import * as z from "zod";
import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { idempotencyKeyHeader } from "../idempotency-key.ts";
import { type Route, takesIdempotencyKey } from "../route.ts";
import { successHeaders } from "./headers.ts";
import { eventStream, mediaType } from "./media-type.ts";

/** The security scheme's name in the document. */
export const API_KEY = "ApiKey";

const idempotencyKey = idempotencyKeyHeader.optional().meta({
  description:
    "Makes repeating safe: within 24 hours the same key with the same body gives the first answer again, unbilled.",
  example: "order-4711",
});

/** One route of all as an operation; `errors` are its error responses. */
export function operation(
  route: Route,
  routes: readonly Route[],
  errors: ZodOpenApiResponsesObject,
): ZodOpenApiOperationObject {
  const { request, success } = route;
  return {
    operationId: route.operation,
    tags: [tagOf(route)],
    summary: route.summary,
    description: [route.description, accessText(route)].filter(Boolean).join("\n\n"),
    security: route.access === "public" ? [] : [{ [API_KEY]: route.access === "any key" ? [] : [route.access] }],
    requestParams: {
      ...(request.path && { path: request.path as z.ZodObject }),
      ...(request.query && { query: request.query as z.ZodObject }),
      ...(takesIdempotencyKey(request) && { header: z.object({ "Idempotency-Key": idempotencyKey }) }),
    },
    ...requestBody(request),
    responses: {
      [`${success.status as 200}`]: {
        description: success.description,
        headers: successHeaders(route),
        content: {
          ...bodyContent(success.body),
          ...(success.events && { "text/event-stream": eventStream(success.events) }),
        },
        ...links(route, routes),
      },
      ...errors,
    },
  };
}

/** What is created has an `id`, and the routes below its own take it. */
function links(created: Route, routes: readonly Route[]) {
  if (created.method !== "POST" || created.path.includes("{")) return {};
  const below = routes.filter(({ path }) => path.startsWith(`${created.path}/{id}`));
  if (below.length === 0) return {};
  const parameters = { id: "$response.body#/id" };
  return {
    links: Object.fromEntries(below.map(({ operation: operationId }) => [operationId, { operationId, parameters }])),
  };
}

/** What follows `/v1/`: the resource. */
export function tagOf({ path }: Route): string {
  return path.split("/")[2] ?? "";
}

function accessText({ access, request }: Route): string {
  const key = {
    public: "Needs no key.",
    "any key": "Needs a valid key of any scope.",
  }[access as string];
  const refused = "`Idempotency-Key` must not be sent: 400 before the body is read.";
  return [key ?? `Needs the scope \`${access}\`.`, request.idempotencyKey === "refused" ? refused : ""]
    .join(" ")
    .trim();
}

function requestBody({ json, multipart }: Route["request"]): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (json) return { requestBody: { required: true, content: { "application/json": mediaType(json) } } };
  if (multipart) return { requestBody: { required: true, content: { "multipart/form-data": { schema: multipart } } } };
  return {};
}

function bodyContent(body: Route["success"]["body"]): Record<string, ZodOpenApiMediaTypeObject> {
  if (body instanceof z.ZodType) return { "application/json": mediaType(body) };
  return { [body.contentType]: { schema: z.string(), ...(body.example && { example: body.example }) } };
}
