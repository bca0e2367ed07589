import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/client.ts";

export type { PrismaClient } from "./generated/client.ts";
export { Prisma } from "./generated/client.ts";

/** What repositories and billing take as their first argument. */
export type Database = PrismaClient;

/**
 * A pooled client. Opens no connection until the first query. Works behind transaction pooling: every step is one
 * statement, and nothing is kept in a session.
 */
export function createDatabase(url: string, options: { maxConnections?: number } = {}): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: options.maxConnections ?? 10,
    // A database that is gone must answer as an error, not as a request that hangs.
    connectionTimeoutMillis: 5_000,
    // A connection's password exchange costs both sides milliseconds of computing; pg would close it after 10 s of rest.
    idleTimeoutMillis: 300_000,
    application_name: "escriba",
  });
  return new PrismaClient({ adapter });
}

/** Rejects when the database does not answer; for `/readyz`. */
export async function checkDatabase(db: Database): Promise<void> {
  await db.$queryRaw`SELECT 1`;
}

export async function closeDatabase(db: Database): Promise<void> {
  await db.$disconnect();
}
