import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** The table as `prisma migrate` makes it, so that `prisma migrate deploy` carries on from what was applied here. */
const MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/** The advisory lock of `prisma migrate`: neither runs while the other does. */
const ADVISORY_LOCK = 72707369;

export class MigrationError extends Error {
  override name = "MigrationError";
}

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, hexadecimal, as Prisma records it. */
  checksum: string;
}

/** prisma/migrations in the order of their names. */
export async function readMigrations(
  directory: string = fileURLToPath(new URL("../prisma/migrations", import.meta.url)),
): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(`${directory}/${name}/migration.sql`, "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Brings the database to the newest migration and answers the names applied now. Several runs at once are safe: each
 * migration is one transaction that holds the lock, so a failed one leaves nothing behind and can be repeated. The lock
 * ends with the transaction: behind transaction pooling a session's lock would stay on the server's connection for ever.
 * What a newer version has applied after our newest stays: after a rollback this version runs on it.
 * Rejects with MigrationError when an applied migration was changed, is unknown among ours, or when one fails.
 */
export async function migrate(url: string, migrations?: Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: "escriba migrate" });
  await client.connect();
  try {
    const done: string[] = [];
    for (;;) {
      const name = await applyNext(client, wanted);
      if (name === null) return done;
      done.push(name);
    }
  } finally {
    await client.end();
  }
}

/** Applies the first migration that is missing and answers its name; null when none is. */
async function applyNext(client: pg.Client, wanted: Migration[]): Promise<string | null> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const applied = await readApplied(client, wanted);
    const migration = wanted.find(({ name }) => !applied.has(name));
    if (migration) await apply(client, migration);
    await client.query("COMMIT");
    return migration?.name ?? null;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Rejects with MigrationError unless every migration of this version is applied; for `/readyz`. */
export async function checkMigrated(query: (sql: string) => Promise<{ name: string }[]>): Promise<void> {
  const rows = await query("SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL");
  const applied = new Set(rows.map((row) => row.name));
  const missing = (await readMigrations()).filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  if (missing.length) throw new MigrationError(`run \`escriba migrate\`: ${missing.join(", ")} not applied`);
}

async function readApplied(client: pg.Client, wanted: Migration[]): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean; logs: string | null }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  const known = new Map(wanted.map((migration) => [migration.name, migration.checksum]));
  const newest = wanted
    .map(({ name }) => name)
    .toSorted()
    .at(-1);
  for (const row of rows) {
    if (!row.finished) {
      throw new MigrationError(
        `migration ${row.name} was started by another tool and did not finish: ${row.logs ?? "no log"}. ` +
          `Repair the database, then \`npx prisma migrate resolve\``,
      );
    }
    const checksum = known.get(row.name);
    if (checksum === undefined) {
      if (newest !== undefined && row.name > newest) continue; // of a newer version: ours runs on it
      throw new MigrationError(`the database has migration ${row.name}, which this version of escriba does not know`);
    }
    if (checksum !== row.checksum) {
      throw new MigrationError(`migration ${row.name} was changed after it was applied to this database`);
    }
  }
  return new Set(rows.map((row) => row.name));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
  } catch (error) {
    throw new MigrationError(`migration ${migration.name} failed: ${describe(error, migration.sql)}`, { cause: error });
  }
}

/** PostgreSQL's message with the line of the file it points to. */
function describe(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error ? error.message : String(error);
  const position = Number(error.position ?? 0);
  const line = position ? ` (line ${sql.slice(0, position).split("\n").length})` : "";
  return [`${error.message}${line}`, error.detail, error.hint].filter(Boolean).join("; ");
}
