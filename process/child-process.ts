import { type ChildProcess, fork } from "node:child_process";
import { compiledCode } from "./compile-cache.ts";

/**
 * Native inference and decoding block the thread they run on and can crash, so they live in processes of their own
 * (design.md, "Inference"). This is the parent's end: a few calls at a time, progress while they run, and a child that
 * stays silent too long is killed. The child's end is `serveCalls` below.
 */
export class Child<Request, Progress, Response> {
  readonly #module: URL;
  readonly #options: ChildOptions;
  #process: ChildProcess | undefined;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #calls = 0;
  #idle = Promise.withResolvers<void>();
  #closed = false;

  constructor(module: URL, options: ChildOptions) {
    this.#module = module;
    this.#options = options;
    this.#free = options.calls ?? 1;
    this.#idle.resolve();
  }

  /** Process id of the running child, for tests and metrics. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts the process before its first call, so that its imports are done while the caller does something else. */
  start(): void {
    if (!this.#closed) this.#running();
  }

  /**
   * Calls beyond the limit queue behind each other. Rejects with ChildCrashed when the process dies or falls silent,
   * with the child's own error (`ChildFailure`, name and message kept) when the work fails, with the signal's reason
   * when aborted. An abort of a running call kills the child, because native code cannot be interrupted, or asks it to
   * stop and waits until it has (`abort`).
   */
  async call(request: Request, options: CallOptions<Progress> = {}): Promise<Response> {
    if (this.#calls++ === 0) this.#idle = Promise.withResolvers();
    try {
      await this.#turn();
      try {
        return await this.#run(request, options);
      } finally {
        const next = this.#waiting.shift();
        if (next) next();
        else this.#free++;
      }
    } finally {
      if (--this.#calls === 0) this.#idle.resolve();
    }
  }

  /** Ends the child's process, with all that it holds in memory, when no call needs it; the next call starts another. */
  async rest(): Promise<void> {
    if (this.#calls > 0) return;
    const child = this.#process;
    this.#process = undefined;
    await stop(child);
  }

  /** Ends the child after the calls that run; those that queue are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#idle.promise;
    await stop(this.#process);
  }

  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #run(request: Request, { onProgress, signal }: CallOptions<Progress>): Promise<Response> {
    if (this.#closed) return Promise.reject(new Error("child process is closed"));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const child = this.#running();
    const id = nextId++;
    return new Promise<Response>((resolve, reject) => {
      let silence: NodeJS.Timeout;
      const listen = () => {
        clearTimeout(silence);
        silence = setTimeout(() => {
          child.kill("SIGKILL");
          settle(() => reject(new ChildCrashed(`silent for ${this.#options.silenceMs} ms`, stderr(child))));
        }, this.#options.silenceMs);
      };
      const settle = (outcome: () => void) => {
        clearTimeout(silence);
        child.off("message", onMessage);
        child.off("exit", onExit);
        signal?.removeEventListener("abort", onAbort);
        if (signal?.aborted) reject(signal.reason);
        else outcome();
      };
      const onMessage = (message: Reply<Progress, Response>) => {
        if (message.id !== id) return;
        listen();
        if ("progress" in message) onProgress?.(message.progress);
        else if ("response" in message) settle(() => resolve(message.response));
        else settle(() => reject(new ChildFailure(message.failure.name, message.failure.message)));
      };
      const onExit = (code: number | null, killed: string | null) =>
        settle(() => reject(new ChildCrashed(killed ? `killed by ${killed}` : `exited with ${code}`, stderr(child))));
      const onAbort = () => {
        if (this.#options.abort === "ask") {
          if (child.connected) child.send({ id, abort: true });
          return;
        }
        child.kill("SIGKILL");
        settle(() => undefined);
      };
      child.on("message", onMessage);
      child.once("exit", onExit);
      signal?.addEventListener("abort", onAbort, { once: true });
      listen();
      child.send({ id, request });
    });
  }

  #running(): ChildProcess {
    const current = this.#process;
    if (current && current.exitCode === null && current.signalCode === null && !current.killed) return current;
    const child = fork(this.#module, [], {
      serialization: "advanced",
      execArgv: ["--disable-warning=ExperimentalWarning"],
      env: { ...compiledCode(), ...this.#options.env },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    child.setMaxListeners(0); // two a call
    keepStderr(child, this.#options.onStderr);
    child.on("error", () => undefined); // a failed send or spawn shows as an exit
    this.#process = child;
    return child;
  }
}

let nextId = 1;

export interface ChildOptions {
  /** Milliseconds without a message, while a call runs, after which the child counts as hung. */
  silenceMs: number;
  /** Environment of the child; nothing else is inherited but the place of compiled code (no secrets in a decoding process). */
  env: Record<string, string | undefined>;
  onStderr?: (line: string) => void;
  /** Calls that run at a time; 1 by default. */
  calls?: number;
  /** What an abort of a running call does to the process; "kill" by default. */
  abort?: "kill" | "ask";
}

export interface CallOptions<Progress> {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** The process died or hung: the work may succeed when repeated. */
export class ChildCrashed extends Error {
  override name = "ChildCrashed";
  readonly stderr: string;
  constructor(how: string, stderr: string) {
    super(`child process ${how}`);
    this.stderr = stderr;
  }
}

/** The work itself failed and the child lives: `kind` is the name of the error thrown there. */
export class ChildFailure extends Error {
  override name = "ChildFailure";
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

type Message<Request> = { id: number } & ({ request: Request } | { abort: true });

type Reply<Progress, Response> = { id: number } & (
  | { progress: Progress }
  | { response: Response }
  | { failure: { name: string; message: string } }
);

/** The child's end: answers each request with `handle`, and ends when the parent is gone. */
export function serveCalls<Request, Progress, Response>(
  handle: (request: Request, progress: (progress: Progress) => void, signal: AbortSignal) => Promise<Response>,
): void {
  const aborts = new Map<number, AbortController>();
  const send = (message: Reply<Progress, Response>) => process.connected && process.send?.(message);
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message: Message<Request>) => {
    const { id } = message;
    if ("abort" in message) return aborts.get(id)?.abort();
    const abort = new AbortController();
    aborts.set(id, abort);
    const end = (outcome: { response: Response } | { failure: { name: string; message: string } }) => {
      aborts.delete(id);
      send({ id, ...outcome });
    };
    handle(message.request, (progress) => send({ id, progress }), abort.signal).then(
      (response) => end({ response }),
      (error: unknown) => {
        const { name, message: text } = error instanceof Error ? error : new Error(String(error));
        end({ failure: { name, message: text } });
      },
    );
  });
}

const STDERR_KEPT = 4_000;
const tails = new WeakMap<ChildProcess, { text: string }>();

function keepStderr(child: ChildProcess, onStderr?: (line: string) => void): void {
  const tail = { text: "" };
  tails.set(child, tail);
  child.stderr?.setEncoding("utf8").on("data", (data: string) => {
    tail.text = (tail.text + data).slice(-STDERR_KEPT);
    onStderr?.(data);
  });
}

function stderr(child: ChildProcess): string {
  return tails.get(child)?.text ?? "";
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.disconnect();
  const late = setTimeout(() => child.kill("SIGKILL"), 2_000);
  await gone;
  clearTimeout(late);
}
