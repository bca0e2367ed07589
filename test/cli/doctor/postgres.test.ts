import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import pg from "pg";
import { createTranscript } from "../../../billing/create-transcript.ts";
import { holdUsage, releaseDeadUsage } from "../../../billing/usage.ts";
import { examinePostgres } from "../../../cli/doctor/postgres.ts";
import { newChatCompletionId } from "../../../storage/ids.ts";
import { createAuthority } from "../../support/certificate.ts";
import { newEndpoint } from "../../support/events.ts";
import { newFile, newOrganization, transcriptRequest } from "../../support/organization.ts";
import { pgBouncerPackages, startPgBouncer } from "../../support/pgbouncer.ts";
import { startTestPostgres, type TestPostgres } from "../../support/postgres.ts";
import { examined, outcomes } from "./examined.ts";

let postgres: TestPostgres;
const packages = await pgBouncerPackages();
const behindPooler = packages ? test.serial : test.serial.skip;
test.before(async () => {
  postgres = await startTestPostgres({ durable: true });
});
test.after.always(() => postgres?.stop());

const examine = (environment: Record<string, string> = {}) =>
  examined("postgres", examinePostgres, { ESCRIBA_DATABASE_URL: postgres.url, ...environment });

const ALL_WELL = {
  reachable: "ok",
  encryption: "ok",
  writable: "ok",
  clock: "ok",
  pooler: "ok",
  connections: "ok",
  locks: "ok",
  migrations: "ok",
  upkeep: "ok",
};

/** A default of the database for the time of a test; new connections have it. */
async function withSetting(setting: string, value: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query("SET default_transaction_read_only = off"); // so that it can be undone
    await client.query(`ALTER DATABASE escriba SET ${setting} = '${value}'`);
    await work();
  } finally {
    await client.query(`ALTER DATABASE escriba RESET ${setting}`);
    await client.end();
  }
}

test.serial("a database of this version is well, and its figures are told", async (t) => {
  const checks = await examine({ ESCRIBA_DOCTOR_CONNECTIONS: "20" });
  t.deepEqual(outcomes(checks), ALL_WELL);
  t.like(checks.reachable?.numbers, { version: "18.4" });
  t.is(checks.encryption?.said, "not encrypted, on this machine");
  t.is(checks.pooler?.numbers?.mode, "none");
  t.regex(
    checks.connections?.said ?? "",
    /connections are open, \d+ of them ours; all processes together open up to 20/,
  );
});

test.serial(
  "a budget over the server's limit fails, one at its edge is said, and so are limits of the role",
  async (t) => {
    const available = Number((await examine()).connections?.numbers?.available);
    const { connections: over } = await examine({ ESCRIBA_DOCTOR_CONNECTIONS: String(available + 1) });
    t.like(over, { outcome: "failed", numbers: { wanted: available + 1, available } });
    t.regex(over?.remedy?.[0] ?? "", /PgBouncer/);
    const { connections: edge } = await examine({ ESCRIBA_DOCTOR_CONNECTIONS: String(available) });
    t.is(edge?.outcome, "warning");
    await postgres.db.$executeRawUnsafe("ALTER ROLE escriba CONNECTION LIMIT 30");
    const { connections: role } = await examine({ ESCRIBA_DOCTOR_CONNECTIONS: "31" });
    await postgres.db.$executeRawUnsafe("ALTER ROLE escriba CONNECTION LIMIT -1");
    t.like(role, { outcome: "failed", numbers: { available: 30 } });
  },
);

test.serial("what makes a database unfit for money is said: read only, another isolation, lax commits", async (t) => {
  await withSetting("default_transaction_read_only", "on", async () => {
    t.like((await examine()).writable, { outcome: "failed", said: "this server only reads" });
  });
  await withSetting("default_transaction_isolation", "serializable", async () => {
    t.like((await examine()).writable, { outcome: "failed", said: "transactions are serializable by default" });
  });
  await withSetting("synchronous_commit", "off", async () => {
    t.is((await examine()).writable?.outcome, "warning");
  });
  t.is((await examine()).writable?.outcome, "ok");
});

test.serial("tables that are missing, older, newer or changed are told apart", async (t) => {
  const { db } = postgres;
  const [last] = await db.$queryRaw<{ name: string; checksum: string }[]>`
    SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1`;
  const { name = "", checksum = "" } = last ?? {};
  await db.$executeRaw`UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = ${name}`;
  t.like((await examine()).migrations, { outcome: "failed", said: `changed after they were applied: ${name}` });
  await db.$executeRaw`UPDATE _prisma_migrations SET checksum = ${checksum} WHERE migration_name = ${name}`;

  await db.$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${name}`;
  t.like((await examine()).migrations, { outcome: "failed", said: `begun and not finished: ${name}` });
  await db.$executeRaw`UPDATE _prisma_migrations SET finished_at = now(), migration_name = 'later' WHERE migration_name = ${name}`;
  t.like((await examine()).migrations, {
    outcome: "failed",
    said: `not applied: ${name}`,
    remedy: ["escriba migrate"],
  });
  await db.$executeRaw`UPDATE _prisma_migrations SET migration_name = ${name} WHERE migration_name = 'later'`;
  await db.$executeRaw`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29991231235959_next', now())`;
  const { migrations } = await examine();
  await db.$executeRaw`DELETE FROM _prisma_migrations WHERE id = 'x'`;
  t.is(migrations?.outcome, "ok", "this version runs on the next one's tables");
  t.regex(migrations?.said ?? "", /and 1 of a newer one/);
});

test.serial("leases, outbox rows, deadlines and deliveries that nobody looked after are told", async (t) => {
  const { db } = postgres;
  const { id: organizationId } = await newOrganization(db, { creditEur: "1" });
  const id = newChatCompletionId();
  const call = { organizationId, apiKeyId: null, kind: "chat" as const, model: "service-llm-1-small" };
  await holdUsage(db, { ...call, id, promptTokens: 10, completionTokens: 10 });
  const file = await newFile(db, organizationId, 1_000);
  const source = { fileId: file.id, durationMs: 1_000 };
  await createTranscript(db, transcriptRequest(organizationId, source));
  const { id: webhookId } = await newEndpoint(db, organizationId);
  const { id: eventId } = await db.event.create({
    data: { id: "evt_doctor", organizationId, event: "credit.low", body: "{}" },
  });
  const soon = new Date(Date.now() + 6 * 3_600_000);
  const delivery = { webhookId, eventId, attempt: 2, createdAt: new Date(), nextAttemptAt: soon };
  await db.delivery.create({ data: delivery });
  t.is((await examine()).upkeep?.outcome, "ok", "what is young, or due later, is nobody's fault");

  const hourAgo = new Date(Date.now() - 3_600_000);
  await db.usageCall.update({ where: { id }, data: { leasedUntil: hourAgo } });
  await db.outbox.updateMany({ where: { organizationId }, data: { availableAt: hourAgo } });
  await db.transcript.updateMany({ where: { organizationId }, data: { deadlineAt: hourAgo } });
  await db.delivery.updateMany({ where: { webhookId }, data: { nextAttemptAt: hourAgo } });
  const { upkeep } = await examine();
  const outbox = await db.outbox.count({ where: { organizationId } });
  t.like(upkeep, { outcome: "warning", numbers: { outbox, calls: 1, transcripts: 1, deliveries: 1 } });
  t.regex(upkeep?.said ?? "", /outbox rows wait, 1 holds of dead calls are not released, 1 transcripts are past/);
  await db.delivery.deleteMany({ where: { webhookId } });
  await db.outbox.deleteMany({ where: { organizationId } });
  await db.transcript.updateMany({ where: { organizationId }, data: { deadlineAt: soon } });
  await releaseDeadUsage(db);
  t.is((await examine()).upkeep?.outcome, "ok");
});

for (const mode of ["session", "transaction"] as const) {
  behindPooler(`behind PgBouncer's ${mode} pooling everything is well, and the mode is seen`, async (t) => {
    const bouncer = await startPgBouncer(packages ?? [], postgres.url, mode);
    t.teardown(() => bouncer.stop());
    const checks = await examine({ ESCRIBA_DATABASE_URL: bouncer.url });
    t.deepEqual(outcomes(checks), ALL_WELL, JSON.stringify(checks));
    t.is(checks.pooler?.numbers?.mode, mode);
  });
}

behindPooler("statement pooling is refused with what to set", async (t) => {
  const bouncer = await startPgBouncer(packages ?? [], postgres.url, "statement");
  t.teardown(() => bouncer.stop());
  const { pooler } = await examine({ ESCRIBA_DATABASE_URL: bouncer.url });
  t.is(pooler?.outcome, "failed");
  t.regex(pooler?.remedy?.[0] ?? "", /pool_mode to transaction or session/);
});

test.serial("an encrypted connection is known as one", async (t) => {
  const authority = createAuthority();
  const { cert, key } = authority.issue(["127.0.0.1"]);
  const directory = await mkdtemp(join(tmpdir(), "escriba-tls-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const { db } = postgres;
  const [{ at = "" } = {}] = await db.$queryRaw<{ at: string }[]>`SELECT current_setting('data_directory') AS at`;
  await writeFile(join(at, "server.crt"), cert);
  await writeFile(join(at, "server.key"), key, { mode: 0o644 });
  await writeFile(join(directory, "ca.pem"), authority.cert);
  // Only its owner may read a server's key.
  await db.$executeRawUnsafe(
    `COPY (SELECT 1) TO PROGRAM 'cp ${at}/server.key ${at}/own.key && chmod 600 ${at}/own.key'`,
  );
  await db.$executeRawUnsafe(`ALTER SYSTEM SET ssl_key_file = '${at}/own.key'`);
  await db.$executeRawUnsafe("ALTER SYSTEM SET ssl = on");
  await db.$queryRaw`SELECT pg_reload_conf()`;
  const url = `${postgres.url}?sslmode=verify-full&sslrootcert=${join(directory, "ca.pem")}`;
  const encrypted = async () => {
    for (;;) {
      const { encryption, reachable } = await examine({ ESCRIBA_DATABASE_URL: url });
      if (encryption) return encryption;
      if (!/does not support SSL/.test(reachable?.said ?? "")) throw new Error(reachable?.said);
    }
  };
  t.like(await encrypted(), { outcome: "ok", said: "TLS (TLSv1.3)" });
});

test("no database, a wrong one and one without tables are told apart", async (t) => {
  t.like((await examined("postgres", examinePostgres, {})).configured, { outcome: "skipped" });
  const wrong = await examined("postgres", examinePostgres, { ESCRIBA_DATABASE_URL: "postgresql://x@127.0.0.1:1/x" });
  t.deepEqual(outcomes(wrong), { reachable: "failed" });
  t.regex(wrong.reachable?.said ?? "", /ECONNREFUSED/);
  const bare = await startTestPostgres({ migrated: false });
  t.teardown(() => bare.stop());
  const checks = await examined("postgres", examinePostgres, { ESCRIBA_DATABASE_URL: bare.url });
  t.like(checks.migrations, { outcome: "failed", said: "there are no tables of Escriba", remedy: ["escriba migrate"] });
  t.is(checks.upkeep, undefined);
});
