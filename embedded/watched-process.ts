import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * The program ends with its starter, even one that was killed: a watcher beside it holds the other end of a pipe and
 * ends it when the pipe closes without a word. `exec` keeps the process number, which the watcher knows.
 */
const WATCHED = '( ( read -r word <&3 || kill -TERM $$ ) >/dev/null 2>&1 & ); exec "$@" 3<&-';

export interface WatchedOptions {
  /** Standard error's: a pipe by default, or an open file for both standard output and standard error. */
  log?: number;
  env?: Record<string, string | undefined>;
}

/**
 * A server of somebody else's, as a child that does not outlive us. It has a process group of its own: Ctrl-C in a
 * terminal must reach us first, so that what uses it ends before it does.
 */
export function spawnWatched(program: string, args: readonly string[], options: WatchedOptions = {}): ChildProcess {
  const { log, env } = options;
  const child = spawn("/bin/sh", ["-c", WATCHED, "sh", program, ...args], {
    stdio: ["ignore", log ?? "ignore", log ?? "pipe", "pipe"],
    detached: true,
    ...(env && { env }),
  });
  child.once("exit", () => dismissWatcher(child));
  return child;
}

/** Asks it to end, and kills it after `graceMs`. Resolves when it is gone. */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await gone;
  clearTimeout(late);
}

/** A word for the watcher: the process number may soon be another's. */
function dismissWatcher(child: ChildProcess): void {
  const pipe = child.stdio[3] as Writable | null | undefined;
  pipe?.on("error", () => undefined).end("ended\n");
}
