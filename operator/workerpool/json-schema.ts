import * as z from "zod";

/** The subset of OpenAPI v3 that a structural schema consists of, as far as WorkerPools use it. */
export interface JsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | false;
  items?: JsonSchema;
  [extension: `x-kubernetes-${string}`]: unknown;
}

const PRESERVE = "x-kubernetes-preserve-unknown-fields";

/** What the API server takes as a structural schema, from zod's. */
export function structuralSchema(schema: z.ZodType): JsonSchema {
  return structural(z.toJSONSchema(schema, { target: "openapi-3.0", io: "input" }) as JsonSchema);
}

function structural(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, required, ...own } = schema;
  // Zod spells its own idea of a time as an expression too; the API server has its own by the format's name.
  if (own.format === "date-time") delete own.pattern;
  if (own.type === "integer") {
    if (own.minimum === Number.MIN_SAFE_INTEGER) delete own.minimum;
    if (own.maximum === Number.MAX_SAFE_INTEGER) delete own.maximum;
    own.format = own.maximum === undefined || own.maximum > 2 ** 31 - 1 ? "int64" : "int32";
  }
  if (own[PRESERVE]) return own;
  return {
    ...own,
    // The API server checks a default by its rules as it stands, before the fields within have got theirs.
    ...(isObject(own.default) && properties && { default: { ...defaultsOf(properties), ...own.default } }),
    ...(items && { items: structural(items) }),
    ...(additionalProperties && { additionalProperties: structural(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, structural(field)])),
    }),
    ...(required && required.length > 0 && { required }),
  };
}

/** What an empty object becomes. */
function defaultsOf(properties: Record<string, JsonSchema>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      if (field.default === undefined) return [];
      const inner = isObject(field.default) && field.properties ? defaultsOf(field.properties) : {};
      return [[name, isObject(field.default) ? { ...inner, ...field.default } : field.default]];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
