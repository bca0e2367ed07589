import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../embedded/postgres.ts";
import { createLog } from "../../process/log.ts";
import { closeDatabase, createDatabase, type Database } from "../../storage/database.ts";
import { migrate } from "../../storage/migrate.ts";

export interface TestPostgres {
  url: string;
  db: Database;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL of its own for one test file, migrated, in a temporary directory that `stop` removes. `durable`: it waits
 * for the disk at every commit, as it does in production; tests have no use for that.
 */
export async function startTestPostgres(
  options: { migrated?: boolean; durable?: boolean } = {},
): Promise<TestPostgres> {
  const dir = await mkdtemp(join(tmpdir(), "escriba-postgres-"));
  const server = await startPostgres({
    dir,
    persistent: options.durable === true,
    log: createLog("postgres", "silent"),
  });
  if (options.migrated !== false) await migrate(server.url);
  const db = createDatabase(server.url);
  return {
    url: server.url,
    db,
    stop: async () => {
      await closeDatabase(db);
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
