import test from "ava";
import * as z from "zod";
import { workerPoolDefinition } from "../../../operator/workerpool/definition.ts";
import { type JsonSchema, structuralSchema } from "../../../operator/workerpool/json-schema.ts";
import { workerPoolSpec } from "../../../operator/workerpool/spec.ts";

/** Every schema below this one, with its path. */
function* all(schema: JsonSchema, path: string): Generator<[path: string, schema: JsonSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* all(field, `${path}.${name}`);
  if (schema.items) yield* all(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* all(schema.additionalProperties, `${path}{}`);
}
const [version] = workerPoolDefinition().spec.versions;
const { spec, status } = version?.schema.openAPIV3Schema.properties ?? {};
const fields = [...all(spec as JsonSchema, "spec"), ...all(status as JsonSchema, "status")];

test("every field has a type and a description, and its description ends", (t) => {
  for (const [path, schema] of fields) {
    t.truthy(schema.type, path);
    if (!/(\[\]|\{\})$/.test(path)) t.regex(schema.description ?? "", /[.)]$/, path);
  }
});

test("nothing but the template's labels and annotations is without a limit that a rule could look at", (t) => {
  const open = fields.filter(
    ([, { type, enum: values, format, maxLength, maxItems }]) =>
      (type === "string" && !values && format !== "date-time" && maxLength === undefined) ||
      (type === "array" && maxItems === undefined),
  );
  t.deepEqual(
    open.map(([path]) => path),
    ["spec.template.metadata.annotations{}"],
  );
});

test("a structural schema has no additional properties but maps' and no keyword that the API server refuses", (t) => {
  for (const [path, schema] of fields) {
    t.false("$ref" in schema || "$schema" in schema || "const" in schema || "propertyNames" in schema, path);
    t.false(schema.additionalProperties === false, path);
    t.false(Boolean(schema.properties && schema.additionalProperties), path);
  }
});

test("the default of an object is that of its fields, written out", (t) => {
  const parsed = workerPoolSpec.parse({ queues: ["speech"], template: { spec: {} } });
  const schema = structuralSchema(workerPoolSpec);
  for (const name of ["scaling", "rollout", "drain"] as const)
    t.deepEqual(schema.properties?.[name]?.default as unknown, parsed[name]);
});

test("numbers keep their limits, and integers say how large they may be", (t) => {
  const schema = structuralSchema(
    z.object({ small: z.int().min(0).max(9), open: z.int(), real: z.number().min(0.5), when: z.iso.datetime() }),
  );
  t.deepEqual(schema.properties, {
    small: { type: "integer", minimum: 0, maximum: 9, format: "int32" },
    open: { type: "integer", format: "int64" },
    real: { type: "number", minimum: 0.5 },
    when: { type: "string", format: "date-time" },
  });
});
