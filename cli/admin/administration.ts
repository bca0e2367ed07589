import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { readSettings } from "../../process/settings.ts";
import { closeDatabase, createDatabase, type Database } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { UsageError } from "../command.ts";
import { type AdminIo, adminSettings } from "./config.ts";

/** The command was understood and cannot be done; the message says why. Exit code 1, without a stack. */
export class AdminError extends Error {
  override name = "AdminError";
}

/** What a command found: an object for `--json`, and the same for a person. */
export interface Answer {
  json: Record<string, unknown>;
  text: string;
}

/** Runs one administration command against the database of the settings; null has printed itself. Answers the exit code. */
export async function administer(
  io: AdminIo,
  json: boolean,
  work: (db: Database) => Promise<Answer | null>,
): Promise<number> {
  const { ESCRIBA_DATABASE_URL } = readSettings(adminSettings, io.env);
  const db = createDatabase(ESCRIBA_DATABASE_URL, { maxConnections: 1 });
  try {
    const answer = await work(db);
    return answer ? report(io, json, answer) : 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    io.error(describe(error));
    return 1;
  } finally {
    await closeDatabase(db);
  }
}

export function report(io: AdminIo, json: boolean, answer: Answer): 0 {
  io.out(json ? JSON.stringify(answer.json) : answer.text);
  return 0;
}

/** One line a person can act on. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: string };
  if (code === "P2021" || /relation .* does not exist|function .* does not exist/.test(error.message)) {
    return "the database has no tables of escriba yet: run `escriba migrate` first";
  }
  if (code === "ECONNREFUSED" || code === "P1001" || /ECONNREFUSED|Can't reach database/.test(error.message)) {
    return "the database of ESCRIBA_DATABASE_URL does not answer";
  }
  return error.message.trim();
}

/** Positional arguments by name and the options; throws UsageError unless exactly these positionals are there. */
export function readArguments<O extends ParseArgsOptionsConfig>(args: string[], names: string[], options: O) {
  const parsed = parseArgs({
    args,
    allowPositionals: true,
    options: { ...options, json: { type: "boolean", default: false } } as O & { json: { type: "boolean" } },
  });
  if (parsed.positionals.length !== names.length) {
    const wanted = names.length ? names.join(" and ") : "no arguments";
    throw new UsageError(`${wanted} expected, ${parsed.positionals.length} given`);
  }
  const values = parsed.values as typeof parsed.values & { json?: boolean };
  return { positionals: parsed.positionals, values, json: values.json ?? false };
}

/** By slug or id. */
export async function organizationNamed(db: Database, name: string): Promise<Organization> {
  const organization = await findOrganization(db, name);
  if (!organization) throw new AdminError(`there is no organization ${JSON.stringify(name)}`);
  return organization;
}
