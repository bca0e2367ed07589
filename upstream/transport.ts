import { Pool } from "undici";
import type { Logger } from "../process/log.ts";
import type { Breaker } from "./breaker.ts";
import { type Reason, UpstreamRefused, UpstreamUnavailable } from "./errors.ts";
import { refusalOf } from "./refusal.ts";
import { type Reply, Silence, send } from "./reply.ts";
import type { Upstream } from "./settings.ts";
import { type Clock, sleep, type Timing } from "./timing.ts";

export interface TransportParts {
  log: Logger;
  clock: Clock;
  timing: Timing;
  /** 0 to 1, for the spread of waits. */
  random: () => number;
  breaker: Breaker;
  onRetry(reason: Reason): void;
}

/** An answer whose first bytes are here: from now on nothing is tried again. */
export interface Begun {
  reply: Reply;
  first: Buffer;
}

const CONNECT_MS = 10_000;
/** uvicorn, which most servers run on, closes idle connections after 5 s; undici heeds a Keep-Alive header besides. */
const IDLE_MS = 4_000;
/** Enough of an error answer to know its code. */
const ERROR_BYTES = 16 * 1024;

/** POSTs to one upstream until an answer begins, with the tries, waits and breaker of docs/decisions. */
export class Transport {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #parts: TransportParts;

  constructor({ url, api_key }: Upstream, parts: TransportParts) {
    const { origin, pathname } = new URL(url);
    this.#path = pathname.replace(/\/+$/, "");
    // One request a connection at a time; connections are kept, and as many as there are calls.
    this.#pool = new Pool(origin, { pipelining: 1, keepAliveTimeout: IDLE_MS, connect: { timeout: CONNECT_MS } });
    this.#headers = {
      "content-type": "application/json",
      ...(api_key === undefined ? {} : { authorization: `Bearer ${api_key}` }),
    };
    this.#parts = parts;
  }

  /**
   * Resolves with the first bytes of a 2xx answer of type `accept`, with its watch running. Rejects with
   * UpstreamUnavailable, UpstreamRefused, or the signal's reason.
   */
  async begin(path: string, accept: string, body: string, signal: AbortSignal): Promise<Begun> {
    const { clock, timing, breaker, onRetry, log } = this.#parts;
    const deadline = clock.now() + timing.totalMs;
    for (let tries = 1; ; tries += 1) {
      const failure = await this.#try(
        { path, accept, body },
        Math.min(timing.silenceMs, deadline - clock.now()),
        signal,
      );
      if (!(failure instanceof Failure)) return failure;
      log.warn({ reason: failure.reason, status: failure.status, tries, err: failure.cause }, "upstream try failed");
      const wait = failure.again ? this.#waitMs(tries, failure) : null;
      // A try needs a second at least to be worth its wait, and a breaker that lets it pass.
      const late = wait === null || clock.now() + wait + 1_000 > deadline || breaker.waitMs > wait;
      if (late || tries >= timing.tries) throw failure.unavailable();
      await sleep(clock, wait, signal);
      onRetry(failure.reason);
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** Growing, with jitter, never less than the upstream asks for; null when it asks for too much. */
  #waitMs(tries: number, { retryAfterMs = 0 }: Failure): number | null {
    const { timing, random } = this.#parts;
    if (retryAfterMs > timing.longestRetryAfterMs) return null;
    const most = timing.firstWaitMs * 2 ** (tries - 1);
    return Math.max(retryAfterMs, most / 2 + (random() * most) / 2);
  }

  async #try(
    { path, accept, body }: { path: string; accept: string; body: string },
    ms: number,
    signal: AbortSignal,
  ): Promise<Begun | Failure> {
    const { breaker, clock, log } = this.#parts;
    const verdict = breaker.admit();
    if (!verdict) return new Failure("breaker_open", { again: false, retryAfterMs: breaker.waitMs });
    let reply: Reply | undefined;
    try {
      const headers = { ...this.#headers, accept };
      reply = await send(this.#pool, { path: this.#path + path, headers, body }, { signal, clock, ms });
      const refused = await refusedBy(reply, accept);
      if (refused) {
        verdict(refused.dead ? "failure" : "success");
        return refused;
      }
      const first = await reply.read();
      if (first !== null) {
        verdict("success");
        return { reply, first };
      }
      throw new Error("the answer is empty");
    } catch (error) {
      reply?.destroy();
      if (error instanceof UpstreamRefused) verdict("success");
      else verdict(signal.aborted ? "neither" : "failure");
      if (signal.aborted) throw signal.reason;
      if (error instanceof UpstreamRefused) {
        log.warn({ kind: error.kind, status: error.status }, "upstream refused a request");
        throw error;
      }
      return new Failure(error instanceof Silence ? "silent" : "network", { again: true, dead: true, cause: error });
    }
  }
}

/** One try that brought nothing. */
class Failure {
  readonly reason: Reason;
  readonly again: boolean;
  /** Counts for the breaker. A server that says "not now" lives. */
  readonly dead: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly cause: unknown;

  constructor(
    reason: Reason,
    more: { again: boolean; dead?: boolean; status?: number; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    this.reason = reason;
    this.again = more.again;
    this.dead = more.dead ?? false;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
    this.cause = more.cause;
  }

  unavailable(): UpstreamUnavailable {
    return new UpstreamUnavailable(this.reason, { retryAfterMs: this.retryAfterMs, cause: this.cause });
  }
}

/** Null for the answer that was asked for. Throws UpstreamRefused where the request is at fault. */
async function refusedBy(reply: Reply, accept: string): Promise<Failure | null> {
  const { status, headers } = reply;
  if (status >= 200 && status < 300) {
    if (headers["content-type"]?.toLowerCase().startsWith(accept)) return null;
    reply.destroy();
    return new Failure("not_an_answer", { again: true, dead: true, status });
  }
  if (status === 400 || status === 413 || status === 422) throw refusalOf(status, await readError(reply));
  reply.destroy();
  if (status === 429 || status === 408) {
    return new Failure("overloaded", { again: true, status, retryAfterMs: retryAfterMs(headers["retry-after"]) });
  }
  if (status >= 500) {
    // Many say 503 with a Retry-After while they load a model.
    const wait = retryAfterMs(headers["retry-after"]);
    return new Failure("server_error", { again: true, dead: true, status, retryAfterMs: wait });
  }
  // A wrong key, path or model name, or a redirect: nothing that a caller can help, or that waiting changes.
  return new Failure("misconfigured", { again: false, status });
}

async function readError(reply: Reply): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for (let part = await reply.read(); part !== null && size < ERROR_BYTES; part = await reply.read()) {
    parts.push(part);
    size += part.length;
  }
  reply.finish();
  return Buffer.concat(parts).toString("utf8", 0, ERROR_BYTES);
}

/** Seconds; the other form, a date, is not used by any server of models. */
function retryAfterMs(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
