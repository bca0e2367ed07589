import { type ChildProcess, fork } from "node:child_process";

/**
 * Native inference and decoding block the thread they run on and can crash, so both live in a process of their own
 * (design.md, "Inference"). This is the parent's end: one call at a time, progress while it runs, and a child that
 * stays silent too long is killed. The child's end is `serveCalls` below.
 */
export class Child<Request, Progress, Response> {
  readonly #module: URL;
  readonly #options: ChildOptions;
  #process: ChildProcess | undefined;
  #tail = Promise.resolve();
  #closed = false;

  constructor(module: URL, options: ChildOptions) {
    this.#module = module;
    this.#options = options;
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
   * Calls queue behind each other. Rejects with ChildCrashed when the process dies or falls silent, with the child's
   * own error (`ChildFailure`, name and message kept) when the work fails, with the signal's reason when aborted; an
   * abort of the running call kills the child, because native code cannot be interrupted.
   */
  call(
    request: Request,
    options: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const turn = this.#tail.then(() => this.#run(request, options));
    this.#tail = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  /** Ends the child after the calls already queued. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#tail;
    await stop(this.#process);
  }

  #run(
    request: Request,
    { onProgress, signal }: { onProgress?: (progress: Progress) => void; signal?: AbortSignal },
  ): Promise<Response> {
    if (this.#closed) return Promise.reject(new Error("child process is closed"));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const child = this.#running();
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
        outcome();
      };
      const onMessage = (message: Reply<Progress, Response>) => {
        listen();
        if ("progress" in message) onProgress?.(message.progress);
        else if ("response" in message) settle(() => resolve(message.response));
        else settle(() => reject(new ChildFailure(message.failure.name, message.failure.message)));
      };
      const onExit = (code: number | null, killed: string | null) =>
        settle(() => reject(new ChildCrashed(killed ? `killed by ${killed}` : `exited with ${code}`, stderr(child))));
      const onAbort = () => {
        child.kill("SIGKILL");
        settle(() => reject(signal?.reason));
      };
      child.on("message", onMessage);
      child.once("exit", onExit);
      signal?.addEventListener("abort", onAbort, { once: true });
      listen();
      child.send({ request });
    });
  }

  #running(): ChildProcess {
    const current = this.#process;
    if (current && current.exitCode === null && current.signalCode === null && !current.killed) return current;
    const child = fork(this.#module, [], {
      serialization: "advanced",
      execArgv: ["--disable-warning=ExperimentalWarning"],
      env: { ...this.#options.env },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    keepStderr(child, this.#options.onStderr);
    child.on("error", () => undefined); // a failed send or spawn shows as an exit
    this.#process = child;
    return child;
  }
}

export interface ChildOptions {
  /** Milliseconds without a message, while a call runs, after which the child counts as hung. */
  silenceMs: number;
  /** Environment of the child; nothing is inherited that is not named here (no secrets in a decoding process). */
  env: Record<string, string | undefined>;
  onStderr?: (line: string) => void;
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

type Reply<Progress, Response> =
  | { progress: Progress }
  | { response: Response }
  | { failure: { name: string; message: string } };

/** The child's end: answers each request with `handle`, and ends when the parent is gone. */
export function serveCalls<Request, Progress, Response>(
  handle: (request: Request, progress: (progress: Progress) => void) => Promise<Response>,
): void {
  const send = (message: Reply<Progress, Response>) => process.send?.(message);
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message: { request: Request }) => {
    handle(message.request, (progress) => send({ progress })).then(
      (response) => send({ response }),
      (error: unknown) => {
        const { name, message: text } = error instanceof Error ? error : new Error(String(error));
        send({ failure: { name, message: text } });
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
