import type pg from "pg";
import { type Finding, messageOf, ok, Problem } from "./check.ts";
import type { Connect } from "./postgres.ts";

/** A pooler hands its newest free connection out first, so one or two tries show whether it is shared. */
const TRIES = 5;

/**
 * Whether a pooler stands between, and what it keeps together. Session and transaction pooling are both fine: every step
 * is one statement, and migrations are one transaction each. Statement pooling is not.
 */
export async function poolerMode(client: pg.Client, connect: Connect): Promise<Finding> {
  // The number the server names at the beginning is its process; a pooler makes up its own, or it is of another process.
  const named = (client as unknown as { processID: number | null }).processID;
  const other = await connect();
  let shared = false;
  let seen = named;
  for (let tries = 0; tries < TRIES && !shared; tries += 1) {
    seen = await processOf(client);
    await begin(other);
    try {
      shared = (await processOf(other)) === seen;
    } finally {
      await other.query("ROLLBACK");
    }
  }
  if (shared)
    return ok("a pooler that shares connections between transactions (PgBouncer's pool_mode transaction)", {
      mode: "transaction",
    });
  if (seen !== named) return ok("a pooler that keeps sessions", { mode: "session" });
  return ok("none: each connection is the server's own", { mode: "none" });
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}

async function begin(client: pg.Client): Promise<void> {
  await client.query("BEGIN").catch((error: unknown) => {
    throw new Problem(
      `transactions are refused: ${messageOf(error)}`,
      "set the pooler's pool_mode to transaction or session: migrations need transactions",
    );
  });
}
