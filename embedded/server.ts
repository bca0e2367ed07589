import { isAlive } from "../process/alive.ts";

/** PostgreSQL or Temporal as this process started it. */
export interface Server {
  name: string;
  pid: number | undefined;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** PostgreSQL's fast shutdown and Temporal's last write take well under a second each. */
const KILL_AFTER_MS = 20_000;

/**
 * Watches a server that nothing can work without: `onDeath` is called when it ends unasked. Answers how to stop it,
 * within a bounded time.
 */
export function watchServer({ name, pid, stop }: Server, onDeath: (how: string) => void): () => Promise<void> {
  const look = setInterval(() => {
    // A child that has ended is collected by Node, so its number is free.
    if (pid === undefined || isAlive(pid)) return;
    clearInterval(look);
    onDeath(`${name} (process ${pid}) ended unexpectedly; nothing works without it`);
  }, LOOK_EVERY_MS);
  return async () => {
    clearInterval(look);
    const late = setTimeout(() => pid !== undefined && isAlive(pid) && process.kill(pid, "SIGKILL"), KILL_AFTER_MS);
    await stop();
    clearTimeout(late);
  };
}
