import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";

/**
 * A process that stays up over all questions: one JSON line in, one JSON line out. An answer with a member `error`
 * means that the process could not answer. One question at a time.
 */
export class Conversation<Question extends object, Answer extends object> {
  readonly name: string;
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #replies: AsyncIterator<string>;
  #stderr = "";

  private constructor(name: string, command: string, args: string[], env: Record<string, string>) {
    this.name = name;
    this.#process = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env },
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4_000);
    });
    this.#process.stdin?.on("error", () => undefined); // a dead process shows as a missing reply
    this.#lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream });
    this.#replies = this.#lines[Symbol.asyncIterator]();
  }

  /** Resolves when the process has said, by a first line, that it is ready. */
  static async start<Question extends object, Answer extends object>(
    name: string,
    command: string,
    args: string[],
    env: Record<string, string> = {},
  ): Promise<Conversation<Question, Answer>> {
    const conversation = new Conversation<Question, Answer>(name, command, args, env);
    await conversation.#reply();
    return conversation;
  }

  async ask(question: Question): Promise<Answer> {
    this.#process.stdin?.write(`${JSON.stringify(question)}\n`);
    return (await this.#reply()) as Answer;
  }

  /** The end of standard input tells the process to finish. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.stdin?.end();
    const late = setTimeout(() => this.#process.kill("SIGKILL"), 10_000);
    await gone;
    clearTimeout(late);
  }

  async #reply(): Promise<unknown> {
    const { value, done } = await this.#replies.next();
    if (done) throw new Error(`${this.name} ended without an answer:\n${this.#stderr}`);
    const reply = JSON.parse(value) as { error?: string };
    if (reply.error) throw new Error(`${this.name}: ${reply.error}`);
    return reply;
  }
}
