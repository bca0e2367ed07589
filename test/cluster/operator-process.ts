import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const READY_WITHIN_MS = 60_000;
const GRACE_MS = 10_000;

/** `escriba operator` as it is shipped, in a process of its own. */
export class OperatorProcess {
  readonly #child: ChildProcess;
  /** What it logged, parsed. */
  readonly lines: Record<string, unknown>[] = [];
  /** Of its metrics and health listener, without a path. */
  url = "";
  /** What it said besides: a crash. */
  readonly #said: string[] = [];

  private constructor(env: Record<string, string>) {
    this.#child = fork(new URL("../../cli/escriba.ts", import.meta.url), ["operator"], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: ["--disable-warning=ExperimentalWarning"],
      env: { PATH: process.env.PATH, ESCRIBA_METRICS_PORT: "0", ...env },
    });
    createInterface({ input: this.#child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      if (line.startsWith("{")) this.lines.push(JSON.parse(line));
      else this.#said.push(line);
    });
  }

  /** Resolves when it serves its metrics, whether it leads or not. `env` holds its settings. */
  static async start(env: Record<string, string>): Promise<OperatorProcess> {
    const operator = new OperatorProcess(env);
    const child = operator.#child;
    const late = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN_MS);
    const ready = once(child, "message").then(([message]) => message as { ready: { metricsUrl: string } });
    const said = await Promise.race([ready, once(child, "exit").then(() => null)]);
    clearTimeout(late);
    if (!said) throw new Error(`the operator did not start:\n${operator.tail()}`);
    operator.url = new URL(said.ready.metricsUrl).origin;
    return operator;
  }

  /** The end of its log. */
  tail(lines = 10): string {
    return [...this.lines.map((line) => JSON.stringify(line).slice(0, 500)), ...this.#said].slice(-lines).join("\n");
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether it is the one that acts. */
  get leads(): boolean {
    const said = this.lines.map(({ msg }) => msg);
    return said.lastIndexOf("this process leads") > said.lastIndexOf("this process leads no more") && this.running;
  }

  /** Resolves with the exit code, or the signal that ended it. */
  async ended(): Promise<number | string | null> {
    if (this.running) await once(this.#child, "exit");
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** Stops it in the middle of whatever it does, as a machine that swaps may; `resume` lets it go on. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended();
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), GRACE_MS);
    await this.ended();
    clearTimeout(late);
  }
}
