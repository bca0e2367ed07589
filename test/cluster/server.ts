import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess, spawnWatched } from "../../embedded/watched-process.ts";
import { clusterProgram } from "./programs.ts";

const READY_WITHIN_MS = 120_000;
const GRACE_MS = 10_000;

/** One program of the control plane as a child process. It may be stopped, or frozen, and started again. */
export class Server {
  readonly name: string;
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #logFile: string;
  readonly #ready: () => Promise<void>;
  #child: ChildProcess | undefined;

  /** `directory` gets its log; `ready` rejects until it can be used. Throws when the program has not been built. */
  constructor(name: string, args: readonly string[], directory: string, ready: () => Promise<void>) {
    const program = clusterProgram(name);
    if (!program) throw new Error(`${name} is missing; run \`npm run cluster:build\``);
    this.name = name;
    this.#program = program;
    this.#args = args;
    this.#logFile = join(directory, `${name}.log`);
    this.#ready = ready;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it is ready. Rejects with ServerFailed, which quotes the end of its log, when it ends before that. */
  async start(): Promise<void> {
    const log = openSync(this.#logFile, "a");
    const child = spawnWatched(this.#program, this.#args, { log });
    closeSync(log);
    child.on("error", () => undefined); // a failed start shows as an exit
    this.#child = child;
    const end = performance.now() + READY_WITHIN_MS;
    for (;;) {
      try {
        await this.#ready();
        return;
      } catch (error) {
        const ended = child.exitCode !== null || child.signalCode !== null;
        if (!ended && performance.now() < end) {
          await sleep(50);
          continue;
        }
        await this.stop();
        const how = ended ? "ended" : `was not ready after ${READY_WITHIN_MS / 1_000} s (${(error as Error).message})`;
        throw new ServerFailed(`${this.name} ${how}. The end of its log:\n${(await this.log()).slice(-3_000)}`);
      }
    }
  }

  /** What it has written so far, over all its starts. */
  log(): Promise<string> {
    return readFile(this.#logFile, "utf8");
  }

  async stop(): Promise<void> {
    if (this.#child) await endProcess(this.#child, GRACE_MS);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
}

export class ServerFailed extends Error {
  override name = "ServerFailed";
}
