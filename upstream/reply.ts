import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher, Pool } from "undici";
import { UpstreamBroken } from "./errors.ts";
import type { Clock } from "./timing.ts";

type Body = Dispatcher.ResponseData["body"];

/** After the last byte that matters, how long the connection may take to end the answer before it is closed. */
const TAIL_MS = 1_000;
const TAIL_BYTES = 64 * 1024;

/**
 * One HTTP answer under a watch: whoever waits for it says how long. Its bytes are pulled, so an upstream that is
 * faster than its reader is slowed by TCP. Ends in exactly one of `finish` and `destroy`.
 */
export class Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #body: Body;
  readonly #bytes: AsyncIterator<Buffer>;
  readonly #exchange: Exchange;

  constructor({ statusCode, headers, body }: Dispatcher.ResponseData, exchange: Exchange) {
    this.status = statusCode;
    this.headers = headers;
    this.#body = body;
    // A stream that is destroyed while nobody reads it says so here; whoever reads is told by the iterator.
    body.on("error", () => undefined);
    this.#bytes = body[Symbol.asyncIterator]();
    this.#exchange = exchange;
  }

  /** The next bytes, null at the end. Rejects with why it was destroyed, or with the connection's error. */
  async read(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.#bytes.next();
      return done ? null : value;
    } catch (error) {
      throw this.#exchange.cause ?? error;
    }
  }

  /** Gives the upstream this long from now; `calm` stops the clock. */
  watch(ms: number): void {
    this.#exchange.watch(ms);
  }

  calm(): void {
    this.#exchange.calm();
  }

  /** Nothing more is wanted: the connection is closed at once. */
  destroy(): void {
    this.#exchange.end();
    this.#body.destroy();
  }

  /** All that matters is here: the connection may serve another request when the answer ends soon. */
  finish(): void {
    this.#exchange.watch(TAIL_MS);
    this.#body
      .dump({ limit: TAIL_BYTES })
      .catch(() => undefined)
      .finally(() => this.#exchange.end());
  }
}

/** A request under way: aborted by the caller's signal, or when a watch runs out. */
class Exchange {
  readonly abort = new AbortController();
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #cut = () => this.#stop(this.#signal.reason);
  #unwatch: (() => void) | null = null;
  cause: unknown;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.throwIfAborted();
    signal.addEventListener("abort", this.#cut, { once: true });
  }

  watch(ms: number): void {
    this.calm();
    this.#unwatch = this.#clock.after(ms, () => this.#stop(new Silence()));
  }

  calm(): void {
    this.#unwatch?.();
    this.#unwatch = null;
  }

  end(): void {
    this.calm();
    this.#signal.removeEventListener("abort", this.#cut);
  }

  #stop(cause: unknown): void {
    this.cause = cause;
    this.end();
    this.abort.abort(cause);
  }
}

/** The watch ran out. */
export class Silence extends UpstreamBroken {
  constructor() {
    super("silent");
  }
}

export interface Sending {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends and waits for the headers; the watch of `ms` goes on from there. Rejects with `signal.reason`, Silence or the connection's error. */
export async function send(
  pool: Pool,
  { path, headers, body }: Sending,
  { signal, clock, ms }: { signal: AbortSignal; clock: Clock; ms: number },
): Promise<Reply> {
  const exchange = new Exchange(clock, signal);
  exchange.watch(ms);
  try {
    // Node's own time-outs are off: ours goes by the clock it is given, and knows who waits for whom.
    const options = { path, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 } as const;
    return new Reply(await pool.request({ ...options, signal: exchange.abort.signal }), exchange);
  } catch (error) {
    exchange.end();
    throw exchange.cause ?? error;
  }
}
