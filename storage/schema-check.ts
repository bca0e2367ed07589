import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../process/log.ts";
import { checkDatabase, type Database } from "./database.ts";
import { checkMigrated } from "./migrate.ts";

/**
 * Rejects until the database answers and has at least this version's tables; for `/readyz`. Once they are there they
 * stay: a newer version only adds.
 */
export function createSchemaCheck(db: Database): () => Promise<void> {
  let migrated = false;
  return async () => {
    if (migrated) return checkDatabase(db);
    await checkMigrated((sql) => db.$queryRawUnsafe(sql));
    migrated = true;
  };
}

const EVERY_MS = 1_000;
/** Looks after which it is said that we wait: a migration beside us takes seconds. */
const SAY_EVERY = 15;

/** Resolves when `check` does: a worker begins no step on tables that a migration is still to bring. */
export async function waitForSchema(check: () => Promise<void>, log: Logger): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    try {
      return await check();
    } catch (error) {
      if (looks % SAY_EVERY === 0) log.warn({ err: error }, "waiting for the database");
    }
    await sleep(EVERY_MS);
  }
}
