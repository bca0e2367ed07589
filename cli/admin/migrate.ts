import { readSettings } from "../../process/settings.ts";
import { migrate } from "../../storage/migrate.ts";
import type { Command } from "../command.ts";
import { describe, readArguments, report } from "./administration.ts";
import { type AdminIo, adminSettings, terminal } from "./config.ts";

export async function run(args: string[], io: AdminIo): Promise<number> {
  const { json } = readArguments(args, [], {});
  const { ESCRIBA_DATABASE_URL } = readSettings(adminSettings, io.env);
  try {
    const applied = await migrate(ESCRIBA_DATABASE_URL);
    const text = applied.length ? `Applied:\n${applied.map((name) => `  ${name}`).join("\n")}` : "Nothing to apply.";
    return report(io, json, { json: { applied }, text });
  } catch (error) {
    io.error(describe(error));
    return 1;
  }
}

export const migrateCommand: Command = {
  usage: "[--json]",
  details:
    "Brings the database to this version's tables. Safe to run at any time and by several at once; `prisma migrate " +
    "deploy` carries on from what it applied.",
  settings: adminSettings,
  run: (args) => run(args, terminal),
};
