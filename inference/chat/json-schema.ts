import { ChatFailure } from "./protocol.ts";

/**
 * JSON Schema → the part of it that node-llama-cpp makes grammars of. A grammar fixes types, properties, enumerations,
 * lengths and counts; it cannot fix a number's bounds, a pattern or uniqueness, so those are left out and remain the
 * caller's to check. What would change the shape of the answer and cannot be said is refused (SchemaRefused).
 *
 * Every property is written, required or not, in the order of the schema: an answer with all of them satisfies the
 * schema too.
 */
export function grammarSchema(schema: object): object {
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) refuse("it is longer than 64 KB");
  const defs = { ...own(schema, "definitions"), ...own(schema, "$defs") };
  const $defs = Object.fromEntries(Object.entries(defs).map(([name, one]) => [name, translate(one, 1)]));
  const translated = { ...(translate(schema, 0) as object), ...(Object.keys($defs).length > 0 && { $defs }) };
  for (const [, name] of JSON.stringify(translated).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    if (!Object.hasOwn($defs, name as string)) refuse(`\`$defs\` has no ${name}`);
  }
  return translated;
}

const MAX_SCHEMA_LENGTH = 65_536;
const MAX_DEPTH = 32;
const REFUSED = ["not", "if", "patternProperties", "propertyNames", "dependentSchemas", "contains", "$dynamicRef"];
const FORMATS = new Set(["date", "time", "date-time"]);

function translate(schema: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) refuse(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (schema === true) return {};
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) refuse("a part of it is no schema");
  const part = schema as Record<string, unknown>;
  for (const word of REFUSED) if (word in part) refuse(`\`${word}\` is not supported`);
  if (typeof part.$ref === "string") return { $ref: localReference(part.$ref) };
  if ("const" in part) return scalar(part.const) ? { const: part.const } : refuse("`const` must be a scalar");
  if (Array.isArray(part.enum)) {
    if (part.enum.length === 0 || !part.enum.every(scalar)) refuse("`enum` must list scalars");
    return { enum: part.enum };
  }
  const choices = part.oneOf ?? part.anyOf;
  if (Array.isArray(choices)) return oneOf(choices.map((choice) => translate(choice, depth + 1)));
  if (Array.isArray(part.allOf)) {
    if (part.allOf.length !== 1) refuse("`allOf` of several schemas is not supported");
    return translate(part.allOf[0], depth + 1);
  }
  return typed(part, depth);
}

function typed(part: Record<string, unknown>, depth: number): unknown {
  const { type } = part;
  if (Array.isArray(type)) {
    if (type.length === 0) refuse("`type` is an empty list");
    // Lengths and items belong to one of the types only, so each becomes a choice of its own.
    return oneOf(type.map((one) => typed({ ...part, type: one }, depth)));
  }
  if (type === "object" || (type === undefined && "properties" in part)) return objectOf(part, depth);
  if (type === "array" || (type === undefined && ("items" in part || "prefixItems" in part)))
    return arrayOf(part, depth);
  if (type === "string") return stringOf(part);
  if (type === undefined) return {};
  if (typeof type !== "string" || !["number", "integer", "boolean", "null"].includes(type))
    refuse(`there is no type ${JSON.stringify(type)}`);
  return { type };
}

function objectOf(part: Record<string, unknown>, depth: number): unknown {
  const properties = Object.entries(own(part, "properties")).map(([name, one]) => [name, translate(one, depth + 1)]);
  const { additionalProperties } = part;
  const more =
    additionalProperties === undefined
      ? properties.length === 0 // an object about which nothing is said may hold anything
      : typeof additionalProperties === "object"
        ? translate(additionalProperties, depth + 1)
        : additionalProperties === true;
  return {
    type: "object",
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    additionalProperties: more,
    ...(more === false ? {} : numbers(part, ["minProperties", "maxProperties"])),
  };
}

function arrayOf(part: Record<string, unknown>, depth: number): unknown {
  return {
    type: "array",
    ...(part.items !== undefined && part.items !== false && { items: translate(part.items, depth + 1) }),
    ...(Array.isArray(part.prefixItems) && { prefixItems: part.prefixItems.map((one) => translate(one, depth + 1)) }),
    ...numbers(part, ["minItems", "maxItems"]),
  };
}

function stringOf(part: Record<string, unknown>): unknown {
  const { format } = part;
  if (typeof format === "string" && FORMATS.has(format)) return { type: "string", format };
  return { type: "string", ...numbers(part, ["minLength", "maxLength"]) };
}

function numbers(part: Record<string, unknown>, names: string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const name of names) {
    const value = part[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
      refuse(`\`${name}\` must be a whole number`);
    // llama.cpp unrolls repetitions.
    if ((value as number) > 2_000) refuse(`\`${name}\` may be at most 2000`);
    found[name] = value as number;
  }
  return found;
}

function localReference(reference: string): string {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
  return name === undefined ? refuse("`$ref` must name one of the schema's own `$defs`") : `#/$defs/${name}`;
}

function oneOf(choices: unknown[]): unknown {
  return choices.length === 1 ? choices[0] : { oneOf: choices };
}

function scalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function own(part: object, name: string): Record<string, unknown> {
  const value = (part as Record<string, unknown>)[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function refuse(why: string): never {
  throw new ChatFailure("schemaRefused", `the JSON schema cannot be followed: ${why}`);
}
