import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The role could not start, or died too often to be started again. The message quotes the end of its log. */
export class RoleFailed extends Error {
  override name = "RoleFailed";
}

export interface RoleOptions {
  /** e.g. `api`; also the name of its log file. */
  name: string;
  /** The command that runs it, and its arguments. */
  module: URL;
  args: string[];
  env: Record<string, string | undefined>;
  logFile: string;
  /** Milliseconds a start may take. */
  startMs: number;
  onStarted: (pid: number) => void;
  /** It died without being asked to and is being started again. */
  onRestart: (how: string) => void;
  /** It will not be started again. */
  onFailed: (error: RoleFailed) => void;
}

/** Deaths within the window after which a role is given up: a fault that repeats is not cured by more starts. */
const DEATHS = 5;
const DEATHS_WINDOW_MS = 60_000;

/**
 * A role of the service as a child process, started again when it dies. The child says `{ready: R}` over the channel
 * when it can do its work, and ends by itself when the channel closes, so that nothing outlives a killed stack.
 */
export class Role<Ready> {
  readonly #options: RoleOptions;
  #child: ChildProcess | undefined;
  #deaths: number[] = [];
  #stopping = false;

  constructor(options: RoleOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves with what the child said when it became ready. Rejects with RoleFailed. */
  async start(): Promise<Ready> {
    const { name, module, args, env, logFile, startMs } = this.#options;
    const log = openSync(logFile, "a");
    // Its own process group: Ctrl-C in a terminal reaches the stack only, which then stops its parts in order.
    const child = fork(module, args, {
      detached: true,
      env,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", log, log, "ipc"],
    });
    closeSync(log);
    child.on("error", () => undefined); // a failed spawn or send shows as an exit
    this.#child = child;
    if (child.pid) this.#options.onStarted(child.pid);
    const ready = await new Promise<Ready | { ended: string }>((resolve) => {
      const late = setTimeout(() => {
        resolve({ ended: `was not ready after ${startMs / 1000} s` });
        child.kill("SIGKILL");
      }, startMs);
      child.once("message", (message: { ready: Ready }) => {
        clearTimeout(late);
        resolve(message.ready);
      });
      child.once("exit", (code, signal) => {
        clearTimeout(late);
        resolve({ ended: how(code, signal) });
      });
    });
    if (typeof ready === "object" && ready !== null && "ended" in ready) {
      throw new RoleFailed(`the ${name} ${ready.ended}. The end of its log ${logFile}:\n${await tail(logFile)}`);
    }
    child.once("exit", (code, signal) => {
      if (!this.#stopping) void this.#revive(how(code, signal));
    });
    return ready;
  }

  /** Asks it to finish what it holds, and kills it after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await gone;
    clearTimeout(late);
  }

  /** Ends it at once, without a grace. */
  kill(): void {
    this.#stopping = true;
    this.#child?.kill("SIGKILL");
  }

  async #revive(death: string): Promise<void> {
    const { name, logFile, onRestart, onFailed } = this.#options;
    for (let reason = death; !this.#stopping; ) {
      const now = performance.now();
      this.#deaths = [...this.#deaths.filter((at) => now - at < DEATHS_WINDOW_MS), now];
      if (this.#deaths.length >= DEATHS) {
        onFailed(
          new RoleFailed(
            `the ${name} died ${DEATHS} times within a minute, last it ${reason}. The end of its log ${logFile}:\n${await tail(logFile)}`,
          ),
        );
        return;
      }
      onRestart(reason);
      await sleep(250 * 2 ** (this.#deaths.length - 1));
      if (this.#stopping) return;
      try {
        await this.start();
        return;
      } catch (error) {
        reason = error instanceof RoleFailed ? "could not start" : String(error);
      }
    }
  }
}

function how(code: number | null, signal: string | null): string {
  return signal ? `was killed by ${signal}` : `ended with code ${code}`;
}

const TAIL_BYTES = 2_000;

async function tail(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(TAIL_BYTES),
      0,
      TAIL_BYTES,
      Math.max(0, size - TAIL_BYTES),
    );
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}
