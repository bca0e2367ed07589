import * as z from "zod";
import type { ZodOpenApiMediaTypeObject } from "zod-openapi";

/** A schema as the content of a body. Its examples stand with it; a test holds them to it. */
export function mediaType(schema: z.ZodType): ZodOpenApiMediaTypeObject {
  const examples = schema.meta()?.examples as unknown[] | undefined;
  if (!examples) return { schema };
  return { schema, examples: Object.fromEntries(examples.map((value, index) => [`example${index + 1}`, { value }])) };
}

/**
 * Of a stream of server-sent events the schema describes each event, as tools read it: OpenAPI has no other place for
 * that before 3.2. `data` is JSON in a string, and its schema a component of its own.
 */
export function eventStream(data: z.ZodType): ZodOpenApiMediaTypeObject {
  const { id, examples } = data.meta() as { id: string; examples?: unknown[] };
  const chunk = { contentMediaType: "application/json", contentSchema: { $ref: `#/components/schemas/${id}` } };
  const lines = (examples ?? []).map((example) => `data: ${JSON.stringify(example)}\n\n`);
  return {
    schema: z.looseObject({
      data: z.string().meta({
        description: `A \`${id}\` as JSON; of the last event \`[DONE]\`.`,
        override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
          jsonSchema.anyOf = [{ const: "[DONE]" }, chunk];
        },
      }),
    }),
    example: `${lines.join("")}data: [DONE]\n\n`,
  };
}
