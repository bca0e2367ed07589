import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Role } from "../../embedded/role.ts";

/** A server under measurement, in a process of its own. */
export interface Server {
  stop(): Promise<void>;
}

/** Runs a module that says `{ready: R}` over the channel. Its log goes to `directory`. */
export async function forkServer<Ready>(
  name: string,
  module: URL,
  { args = [], env = {}, directory }: { args?: string[]; env?: Record<string, string>; directory: string },
): Promise<Server & { ready: Ready }> {
  const failed = (error: unknown) => console.error(`bench: ${name}: ${error}`);
  const role = new Role<Ready>({
    name,
    module,
    args,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    logFile: join(directory, `${name}.log`),
    startMs: 60_000,
    onStarted: () => undefined,
    onRestart: failed,
    onFailed: failed,
  });
  return { ready: await role.start(), stop: () => role.stop(30_000) };
}

/** Runs a program that listens on its own; ready when `healthUrl` answers 200. */
export async function spawnServer(
  name: string,
  command: string[],
  { env, healthUrl, directory }: { env: Record<string, string>; healthUrl: string; directory: string },
): Promise<Server> {
  const [program, ...args] = command as [string, ...string[]];
  const logFile = join(directory, `${name}.log`);
  const log = openSync(logFile, "a");
  const child = spawn(program, args, { stdio: ["ignore", log, log], env: { ...process.env, ...env } });
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const ended = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  for (let tries = 0; !(await healthy(healthUrl)); tries++) {
    if (ended()) throw new Error(`${name} ended while starting; see ${logFile}`);
    if (tries > 600) throw new Error(`${name} does not answer at ${healthUrl}; see ${logFile}`);
    await sleep(200);
  }
  return {
    stop: async () => {
      if (ended()) return;
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await gone;
      clearTimeout(late);
    },
  };
}

const healthy = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
