import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

interface Field {
  name: string;
  dbName?: string;
  kind: "scalar" | "object";
  type: string;
  nativeType: [name: string, args: string[]] | null;
  isList: boolean;
  isRequired: boolean;
  default?: string | number | boolean | { name: string; args: string[] };
  relationFromFields?: string[];
  relationToFields?: string[];
  relationOnDelete?: string;
  relationOnUpdate?: string;
}

interface Datamodel {
  models: { name: string; dbName: string | null; fields: Field[] }[];
  indexes: { model: string; type: "id" | "unique" | "normal"; fields: { name: string }[] }[];
}

/** Tables as lines of text, so that a difference reads as a diff. */
export interface Tables {
  columns: string[];
  indexes: string[];
  foreignKeys: string[];
}

/** prisma/schema.prisma as Prisma's own parser reads it, through a generator of ours. */
export async function readDatamodel(): Promise<Tables> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const dir = await mkdtemp(join(tmpdir(), "escriba-datamodel-"));
  try {
    const output = join(dir, "datamodel.json");
    const schema = await readFile(join(root, "prisma/schema.prisma"), "utf8");
    const printer = fileURLToPath(new URL("print-datamodel.mjs", import.meta.url));
    const generator = `generator datamodel {\n  provider = ${JSON.stringify(`node "${printer}"`)}\n  output = ${JSON.stringify(output)}\n}\n`;
    await writeFile(join(dir, "schema.prisma"), schema.replace(/^generator client \{[^}]*\}\n/m, generator));
    const cli = fileURLToPath(import.meta.resolve("prisma/build/index.js"));
    await promisify(execFile)(process.execPath, [cli, "generate", "--schema", join(dir, "schema.prisma")], {
      cwd: root,
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" },
    });
    return describe(JSON.parse(await readFile(output, "utf8")));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function describe({ models, indexes }: Datamodel): Tables {
  const tables = new Map(models.map((model) => [model.name, model]));
  const table = (name: string) => tables.get(name)?.dbName ?? name;
  const column = (model: string, name: string) => {
    const field = tables.get(model)?.fields.find((candidate) => candidate.name === name);
    return field?.dbName ?? name;
  };
  const scalars = models.flatMap(({ name, fields }) =>
    fields
      .filter(({ kind }) => kind === "scalar")
      .map((field) => `${table(name)}.${field.dbName ?? field.name} ${columnType(field)}`),
  );
  const keys = models.flatMap(({ name, fields }) =>
    fields
      .filter(({ relationFromFields }) => relationFromFields?.length)
      .map((field) => {
        const from = field.relationFromFields?.map((part) => column(name, part));
        const to = field.relationToFields?.map((part) => column(field.type, part));
        const rules = `on delete ${field.relationOnDelete} on update ${field.relationOnUpdate}`;
        return `${table(name)} (${from}) -> ${table(field.type)} (${to}) ${rules}`;
      }),
  );
  return {
    columns: scalars.sort(),
    indexes: indexes
      .map(({ model, type, fields }) => `${table(model)} ${type} (${fields.map((part) => column(model, part.name))})`)
      .sort(),
    foreignKeys: keys.sort(),
  };
}

const TYPES: Record<string, string> = {
  String: "text",
  BigInt: "bigint",
  Boolean: "boolean",
  Int: "integer",
  Float: "double precision",
  Json: "jsonb",
  Bytes: "bytea",
  Uuid: "uuid",
};

function columnType(field: Field): string {
  const [native, args = []] = field.nativeType ?? [field.type];
  const type =
    native === "Timestamptz"
      ? `timestamp(${args[0]}) with time zone`
      : native === "Decimal"
        ? `numeric(${args.join(",")})`
        : native === "Char"
          ? `character(${args[0]})`
          : (TYPES[native] ?? `unknown ${native}`);
  // A list is never null to Prisma, and has no default in the schema; in the database it is NOT NULL.
  return `${type}${field.isList ? "[]" : ""}${field.isRequired ? " not null" : ""}${defaultOf(field)}`;
}

function defaultOf({ default: value, isList }: Field): string {
  if (value === undefined || isList) return "";
  if (typeof value !== "object") return ` default ${value}`;
  return ` default ${value.name === "autoincrement" ? "autoincrement" : value.args[0]}`;
}
