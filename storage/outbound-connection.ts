import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { Agent } from "undici";
import { isReachable, type Networks } from "./public-address.ts";

export type OutboundFailure =
  | "invalid_url"
  | "blocked_address"
  | "unreachable"
  | "certificate"
  | "timeout"
  | "too_many_redirects"
  | "http_status"
  | "too_large";

/** The message names no address that was resolved: it may reach a client. */
export class OutboundError extends Error {
  override name = "OutboundError";
  readonly code: OutboundFailure;
  /** For `http_status`. */
  readonly status: number | null;
  constructor(code: OutboundFailure, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? null;
  }
}

export interface ConnectOptions {
  /** Longest silence while connecting, before the headers and within the body. */
  idleTimeoutMs?: number;
  /** Ranges allowed besides public addresses: tests, private deployments. */
  allowed?: Networks;
  /** Certificates to trust, all of them; Node's own when absent. */
  ca?: readonly string[];
  /** The system's resolver unless a test brings its own. */
  resolve?: (host: string) => Promise<string[]>;
}

/** Throws OutboundError unless it is http or https, without a password in it. */
export function parse(target: string, base?: URL): URL {
  const url = URL.parse(target, base?.href);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new OutboundError("invalid_url", "the URL must be http or https, without a user name or password in it");
  }
  return url;
}

/** An agent whose only connections go to one checked address of the URL's host. */
export async function connectTo(
  url: URL,
  options: ConnectOptions,
  signal: AbortSignal,
  fail: (error: unknown) => Error,
): Promise<Agent> {
  // WHATWG URLs write 0x7f.1 and 2130706433 as 127.0.0.1 already.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const allowed = options.allowed ?? [];
  let addresses: string[];
  if (isIP(host)) {
    addresses = [host];
  } else {
    try {
      addresses = await abortable((options.resolve ?? resolveHost)(host), signal);
    } catch (error) {
      throw fail(error);
    }
  }
  const address = addresses.find((candidate) => isReachable(candidate, allowed));
  if (!address) {
    throw new OutboundError("blocked_address", "the URL's host has no public address");
  }
  const idle = options.idleTimeoutMs ?? 30_000;
  return new Agent({
    connections: 1,
    pipelining: 1,
    headersTimeout: idle,
    bodyTimeout: idle,
    connect: {
      timeout: Math.min(idle, 10_000),
      ...(options.ca && { ca: [...options.ca] }),
      lookup: (_host, { all }, answer) => {
        const family = isIP(address);
        if (all) answer(null, [{ address, family }]);
        else answer(null, address, family);
      },
    },
  });
}

async function resolveHost(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** For a body nobody reads. Its abort is reported as an error event, which must find a listener. */
export async function discard(body: Readable, agent: Agent): Promise<void> {
  body.on("error", () => undefined).destroy();
  await agent.destroy();
}

/** Whatever undici, the resolver or the clock threw, as OutboundError. */
export function describe(error: unknown, late: boolean): Error {
  if (error instanceof OutboundError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  if (late || code.endsWith("_TIMEOUT")) {
    return new OutboundError("timeout", "the URL did not answer in time", { cause: error });
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)) {
    return new OutboundError("certificate", "the URL's host has no certificate that is trusted", { cause: error });
  }
  return new OutboundError("unreachable", "the URL could not be reached", { cause: error });
}
