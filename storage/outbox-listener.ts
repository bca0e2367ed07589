import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../process/log.ts";

const RECONNECT_MS = 5_000;

/**
 * Calls `wake` whenever rows have been committed to the outbox, on a connection of its own. A hint, never a promise:
 * behind transaction pooling nothing arrives, and what is committed while the connection is away is not made up for, so
 * the caller looks by itself too. Resolves when `signal` aborts.
 */
export async function listenToOutbox(
  url: string,
  wake: () => void,
  { log, signal, reconnectMs = RECONNECT_MS }: { log: Logger; signal: AbortSignal; reconnectMs?: number },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenOnce(url, wake, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "the outbox is only looked at now and then until PostgreSQL's notices are heard again");
    }
    await sleep(reconnectMs, undefined, { signal }).catch(() => undefined);
  }
}

async function listenOnce(url: string, wake: () => void, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "escriba outbox",
  });
  const lost = new Promise<never>((_, reject) => {
    client.on("error", reject);
    client.on("end", () => reject(new Error("the connection ended")));
  });
  lost.catch(() => undefined);
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  client.on("notification", wake);
  try {
    await Promise.race([client.connect().then(() => client.query("LISTEN escriba_outbox")), lost, aborted]);
    wake();
    await Promise.race([lost, aborted]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
