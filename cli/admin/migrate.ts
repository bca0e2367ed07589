import * as z from "zod";
import { readSettings } from "../../process/settings.ts";
import { migrate } from "../../storage/migrate.ts";
import { connectClient } from "../../workflows/temporal-connection.ts";
import { ensureNamespace, type NamespaceReport } from "../../workflows/temporal-namespace.ts";
import { readTemporalSettings, temporalFields } from "../../workflows/temporal-settings.ts";
import type { Command } from "../command.ts";
import { describe, readArguments, report } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export const settings = adminSettings.extend({
  ...temporalFields,
  ESCRIBA_TEMPORAL_ADDRESS: z
    .string()
    .default("")
    .describe("host:port of the Temporal frontend whose namespace is made; empty means Temporal is left alone."),
  ESCRIBA_TEMPORAL_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(3)
    .max(365)
    .default(7)
    .describe("Days that the namespace keeps closed workflows, at least; a transcript lives up to two."),
});

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { json } = readArguments(args, [], {});
  const parsed = readSettings(settings, io.env);
  try {
    const applied = await migrate(parsed.ESCRIBA_DATABASE_URL);
    const temporal = parsed.ESCRIBA_TEMPORAL_ADDRESS === "" ? null : await makeNamespace(parsed);
    const lines = applied.length ? ["Applied:", ...applied.map((name) => `  ${name}`)] : ["Nothing to apply."];
    return report(io, json, {
      json: { applied, ...(temporal && { temporal }) },
      text: [...lines, ...(temporal ? tell(temporal) : [])].join("\n"),
    });
  } catch (error) {
    io.error(describe(error));
    return 1;
  }
}

async function makeNamespace(parsed: z.output<typeof settings>): Promise<NamespaceReport> {
  const temporal = readTemporalSettings(parsed);
  const connection = await connectClient(temporal);
  try {
    const retentionDays = parsed.ESCRIBA_TEMPORAL_RETENTION_DAYS;
    return await ensureNamespace(connection, { namespace: temporal.namespace, retentionDays });
  } finally {
    await connection.close();
  }
}

function tell({ done, commands }: NamespaceReport): string[] {
  const made = done.map((what) => `Made in Temporal: ${what}.`);
  if (commands.length === 0) return made.length > 0 ? made : ["Nothing to make in Temporal."];
  return [
    ...made,
    "Temporal does not let us do the rest. Whoever administers it runs:",
    ...commands.map((command) => `  ${command}`),
  ];
}

export const migrateCommand: Command = {
  usage: "[--json]",
  details:
    "Brings the database to this version's tables, and where ESCRIBA_TEMPORAL_ADDRESS is set makes Temporal's namespace " +
    "with its retention and search attribute, or prints the commands for whoever may. Safe to run at any time and by " +
    "several at once; `prisma migrate deploy` carries on from what it applied. A database that a newer version has " +
    "migrated stays as it is.",
  settings,
  run: (args) => run(args, terminal),
};
