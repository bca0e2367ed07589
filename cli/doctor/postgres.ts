import pg from "pg";
import { readMigrations } from "../../storage/migrate.ts";
import { type Examination, type Finding, failed, messageOf, ok, Problem, warning } from "./check.ts";
import { skewFinding } from "./clock-skew.ts";
import type { Settings } from "./config.ts";
import { connectionBudget } from "./connection-budget.ts";
import { locks } from "./locks.ts";
import { poolerMode } from "./pooler.ts";
import { upkeep } from "./upkeep.ts";

/** The oldest that the migrations run on; gen_random_uuid() and jsonb_to_recordset are as old as 13. */
const LEAST_MAJOR = 14;
const SECONDS = 10_000;

export type Connect = () => Promise<pg.Client>;

/** PostgreSQL: version, TLS, pooler, tables, connections, locks, and whether leases are kept. */
export async function examinePostgres(settings: Settings, examination: Examination): Promise<void> {
  const url = settings.ESCRIBA_DATABASE_URL;
  if (url === "") return examination.skip("ESCRIBA_DATABASE_URL is not set");
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: SECONDS,
      application_name: "escriba doctor",
    });
    client.on("error", () => undefined); // what runs on it tells
    await client.connect();
    clients.push(client);
    return client;
  };
  try {
    const client = await examination.check("reachable", SECONDS, () => reach(connect));
    if (!client) return;
    await examination.check("encryption", SECONDS, () => encryption(client, url));
    await examination.check("writable", SECONDS, () => writable(client));
    await examination.check("clock", SECONDS, () => clock(client));
    await examination.check("pooler", SECONDS, () => poolerMode(client, connect));
    await examination.check("connections", SECONDS, () =>
      connectionBudget(client, settings.ESCRIBA_DOCTOR_CONNECTIONS),
    );
    await examination.check("locks", SECONDS, () => locks(client, connect));
    const migrated = await examination.check("migrations", SECONDS, () => migrations(client));
    if (migrated) await examination.check("upkeep", SECONDS, () => upkeep(client));
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

async function reach(connect: Connect): Promise<{ finding: Finding; value: pg.Client }> {
  const client = await connect().catch((error: unknown) => {
    throw new Problem(
      messageOf(error),
      "ESCRIBA_DATABASE_URL must name the server, database, user and password, and the network must let this process reach it",
    );
  });
  const { rows } = await client.query<{ version: string; database: string; role: string }>(
    "SELECT current_setting('server_version') AS version, current_database() AS database, current_user AS role",
  );
  const { version = "", database, role } = rows[0] ?? {};
  const said = `PostgreSQL ${version}, database ${database} as ${role}`;
  const finding =
    Number.parseInt(version, 10) >= LEAST_MAJOR
      ? ok(said, { version })
      : failed(said, [`PostgreSQL ${LEAST_MAJOR} or newer is needed`], { version });
  return { finding, value: client };
}

async function encryption(client: pg.Client, url: string): Promise<Finding> {
  // pg keeps the socket it talks on: a TLSSocket says so.
  const { stream } = (client as unknown as { connection: { stream: { encrypted?: boolean; getProtocol?(): string } } })
    .connection;
  if (stream.encrypted) return ok(`TLS (${stream.getProtocol?.() ?? "unknown"})`, { encrypted: true });
  const { hostname } = new URL(url);
  if (["", "localhost", "127.0.0.1", "[::1]"].includes(hostname))
    return ok("not encrypted, on this machine", { encrypted: false });
  return warning(
    "not encrypted: transcripts and keys' digests cross the network as they are",
    ["add ?sslmode=verify-full to ESCRIBA_DATABASE_URL, with sslrootcert=FILE for an authority of your own"],
    { encrypted: false },
  );
}

async function writable(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ recovery: boolean; readonly: string; sync: string; isolation: string }>(
    `SELECT pg_is_in_recovery() AS recovery, current_setting('transaction_read_only') AS readonly,
       current_setting('synchronous_commit') AS sync, current_setting('default_transaction_isolation') AS isolation`,
  );
  const { recovery, readonly, sync, isolation } = rows[0] ?? {};
  if (recovery || readonly === "on")
    return failed("this server only reads", ["ESCRIBA_DATABASE_URL must lead to the primary, not to a replica"]);
  if (isolation !== "read committed")
    return failed(`transactions are ${isolation} by default`, [
      `ALTER ROLE CURRENT_USER SET default_transaction_isolation = 'read committed' (the ledger's functions lock rows and read on)`,
    ]);
  if (sync === "off")
    return warning("synchronous_commit is off: a crash of the server forgets the last charges", [
      "ALTER SYSTEM SET synchronous_commit = on (Escriba turns it off itself where nothing is lost by it)",
    ]);
  return ok("a primary that writes, read committed");
}

async function clock(client: pg.Client): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await client.query<{ ms: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms",
  );
  return skewFinding((rows[0]?.ms ?? 0) - (asked + Date.now()) / 2, "PostgreSQL");
}

/** Newer tables than ours are fine: a version runs on those of the next one. */
async function migrations(client: pg.Client): Promise<Finding> {
  const ours = await readMigrations();
  const { rows } = await client
    .query<{ name: string; checksum: string; finished: boolean }>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations
       WHERE rolled_back_at IS NULL`,
    )
    .catch(() => {
      throw new Problem("there are no tables of Escriba", "escriba migrate");
    });
  const half = rows.filter(({ finished }) => !finished).map(({ name }) => name);
  if (half.length > 0)
    return failed(`begun and not finished: ${half.join(", ")}`, [
      "repair the database by hand, then `npx prisma migrate resolve`",
    ]);
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const missing = ours.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  if (missing.length > 0) return failed(`not applied: ${missing.join(", ")}`, ["escriba migrate"]);
  const changed = ours.filter(({ name, checksum }) => applied.get(name) !== checksum).map(({ name }) => name);
  if (changed.length > 0)
    return failed(`changed after they were applied: ${changed.join(", ")}`, [
      "run the version of Escriba that applied them, or restore its migrations",
    ]);
  const newer = applied.size - ours.length;
  const said = `all ${ours.length} of this version are applied`;
  return ok(newer > 0 ? `${said}, and ${newer} of a newer one` : said, { applied: ours.length, newer });
}
