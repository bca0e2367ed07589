import { randomInt } from "node:crypto";
import type pg from "pg";
import { type Finding, failed, ok } from "./check.ts";
import type { Connect } from "./postgres.ts";

/**
 * Two connections must see each other's locks: money moves under the lock of an organization's row, the outbox is
 * claimed with SKIP LOCKED. They do not where a proxy spreads connections over several primaries.
 */
export async function locks(client: pg.Client, connect: Connect): Promise<Finding> {
  const other = await connect();
  const key = randomInt(2 ** 31);
  const take = async (from: pg.Client) => {
    const { rows } = await from.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1, $2) AS taken", [
      7_270_736, // a class of our own
      key,
    ]);
    return rows[0]?.taken === true;
  };
  await client.query("BEGIN");
  try {
    await other.query("BEGIN");
    const first = await take(client);
    const second = await take(other);
    await client.query("ROLLBACK");
    const third = await take(other);
    if (first && !second && third)
      return ok("two connections exclude each other, and a lock ends with its transaction");
    return failed("two connections hold the same lock", [
      "ESCRIBA_DATABASE_URL must lead to one primary: no multi-primary set, no proxy that spreads sessions",
    ]);
  } finally {
    await client.query("ROLLBACK");
    await other.query("ROLLBACK");
  }
}
