import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import pg from "pg";
import { readConfig } from "../../api/config.ts";
import { createServices } from "../../api/services.ts";
import { createLog } from "../../process/log.ts";
import { createRegistry } from "../../process/metrics.ts";
import { closeDatabase, createDatabase } from "../../storage/database.ts";
import { createDiskStore } from "../../storage/disk-store.ts";
import { checkMigrated, type Migration, MigrationError, migrate, readMigrations } from "../../storage/migrate.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const test = anyTest as TestFn<TestPostgres>;

test.before(async (t) => {
  t.context = await startTestPostgres({ migrated: false });
});
test.after.always((t) => t.context.stop?.());

/** An empty database of its own. */
async function newDatabase(url: string, name: string): Promise<string> {
  await query(url, `CREATE DATABASE ${name}`);
  return url.replace(/\/escriba$/, `/${name}`);
}

async function query<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

const step = (name: string, sql: string): Migration => ({ name, sql, checksum: name.repeat(2).slice(0, 64) });

test("an empty database gets every migration once, in Prisma's own records", async (t) => {
  const url = await newDatabase(t.context.url, "fresh");
  const migrations = await readMigrations();
  t.deepEqual(
    await migrate(url),
    migrations.map(({ name }) => name),
  );
  t.deepEqual(await migrate(url), []);
  const rows = await query(url, "SELECT * FROM _prisma_migrations ORDER BY migration_name");
  t.is(rows.length, migrations.length);
  for (const [at, row] of rows.entries()) {
    t.is(row.migration_name, migrations[at]?.name);
    t.is(row.checksum, migrations[at]?.checksum);
    t.regex(row.checksum, /^[0-9a-f]{64}$/);
    t.regex(row.id, /^[0-9a-f-]{36}$/);
    t.is(row.applied_steps_count, 1);
    t.is(row.rolled_back_at, null);
    t.is(row.logs, null);
    t.true(row.finished_at >= row.started_at);
  }
  await t.notThrowsAsync(() => checkMigrated((sql) => query(url, sql)));
});

test("runs at the same time apply each migration once", async (t) => {
  const url = await newDatabase(t.context.url, "together");
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  t.deepEqual(
    applied.flat().sort(),
    (await readMigrations()).map(({ name }) => name),
  );
});

test("the lock is the transaction's, so that no pooler's connection keeps it", async (t) => {
  const url = await newDatabase(t.context.url, "pooled");
  // Inside the migration its transaction is ended: a lock that is still held then belongs to the session.
  const held =
    "CREATE TABLE held AS SELECT count(*)::integer AS locks FROM pg_locks l JOIN pg_database d ON d.oid = l.database";
  await migrate(url, [
    step("1_look", `COMMIT; ${held} WHERE locktype = 'advisory' AND datname = current_database(); BEGIN`),
  ]);
  t.deepEqual(await query(url, "SELECT locks FROM held"), [{ locks: 0 }]);
});

test("a failing migration says its name, line and reason, leaves nothing, and can be repaired", async (t) => {
  const url = await newDatabase(t.context.url, "failing");
  const good = step("1_good", "CREATE TABLE good (id int)");
  const bad = step("2_bad", "CREATE TABLE half (id int);\n\nCREATE TABLE oops (id nonsense);");
  const error = await t.throwsAsync(() => migrate(url, [good, bad]), { instanceOf: MigrationError });
  t.is(error?.message, 'migration 2_bad failed: type "nonsense" does not exist (line 3)');
  t.deepEqual(await query(url, "SELECT migration_name AS name FROM _prisma_migrations"), [{ name: "1_good" }]);
  t.deepEqual(await query(url, "SELECT to_regclass('half') AS found"), [{ found: null }]);
  t.deepEqual(await migrate(url, [good, step("2_bad", "CREATE TABLE half (id int)")]), ["2_bad"]);
});

test("a changed, an unknown and a foreign unfinished migration stop the run", async (t) => {
  const url = await newDatabase(t.context.url, "changed");
  const first = step("1_first", "SELECT 1");
  await migrate(url, [first]);
  await t.throwsAsync(() => migrate(url, [{ ...first, checksum: "other" }]), {
    message: "migration 1_first was changed after it was applied to this database",
  });
  await t.throwsAsync(() => migrate(url, [step("0_other", "SELECT 1"), step("2_second", "SELECT 1")]), {
    message: /1_first, which this version of escriba does not know/,
  });
  await query(
    url,
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'y', '2_x', 'E 7')",
  );
  await t.throwsAsync(() => migrate(url, [first]), {
    message: /2_x was started by another tool and did not finish: E 7/,
  });
});

test("the version before runs on what the next one migrated, and its own run changes nothing", async (t) => {
  const url = await newDatabase(t.context.url, "newer");
  const [ours, theirs] = [step("1_ours", "SELECT 1"), step("2_theirs", "CREATE TABLE more (id int)")];
  t.deepEqual(await migrate(url, [ours, theirs]), ["1_ours", "2_theirs"]);
  t.deepEqual(await migrate(url, [ours]), []);
  t.deepEqual(await migrate(url, [ours, theirs]), []);
  const all = await readMigrations();
  const real = await newDatabase(t.context.url, "newer_real");
  await migrate(real, [...all, step("99991231235959_next", "CREATE TABLE more (id int)")]);
  await t.notThrowsAsync(() => checkMigrated((sql) => query(real, sql)));
  t.deepEqual(await migrate(real), []);
});

test("readiness names what is missing", async (t) => {
  const url = await newDatabase(t.context.url, "behind");
  await migrate(url, (await readMigrations()).slice(0, 1));
  await t.throwsAsync(() => checkMigrated((sql) => query(url, sql)), { message: /escriba migrate.*_ledger/ });
});

test("an API is not ready on a database that lacks its tables, and is once they are there", async (t) => {
  const url = await newDatabase(t.context.url, "unready");
  const database = createDatabase(url);
  const directory = await mkdtemp(join(tmpdir(), "escriba-ready-"));
  const objects = createDiskStore(directory);
  const settings = readConfig({
    ESCRIBA_DATABASE_URL: url,
    ESCRIBA_OBJECT_STORE: `file://${directory}`,
    ESCRIBA_SECRETS_KEY: Buffer.alloc(32).toString("base64"),
  });
  const log = createLog("api", "silent");
  const { ready } = createServices(settings, createRegistry("api"), { database, objects, log });
  await t.throwsAsync(ready, { message: /^database: / });
  await migrate(url, (await readMigrations()).slice(0, 1));
  await t.throwsAsync(ready, { message: /^database: run `escriba migrate`/ });
  await migrate(url);
  await t.notThrowsAsync(ready);
  await closeDatabase(database);
  await rm(directory, { recursive: true });
});

test("migrations are read in the order of their names", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "escriba-migrations-"));
  for (const name of ["20260102_b", "20260101_a"]) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, "migration.sql"), "SELECT 1");
  }
  await writeFile(join(dir, "migration_lock.toml"), "");
  const migrations = await readMigrations(dir);
  t.deepEqual(
    migrations.map(({ name }) => name),
    ["20260101_a", "20260102_b"],
  );
  // sha256 of the file, as Prisma writes it.
  t.is(migrations[0]?.checksum, "e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5");
  await rm(dir, { recursive: true });
});
