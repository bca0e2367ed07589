import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { type Readable, Transform } from "node:stream";
import { Agent, type Dispatcher, request } from "undici";
import { isReachable, type Networks } from "./public-address.ts";

export type OutboundFailure =
  | "invalid_url"
  | "blocked_address"
  | "unreachable"
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

export interface OutboundOptions {
  /** A body over this many bytes ends in `too_large`. */
  maxBytes: number;
  /** For everything together, the body included. */
  timeoutMs: number;
  /** Longest silence while connecting, before the headers and within the body. */
  idleTimeoutMs?: number;
  maxRedirects?: number;
  /** Ranges allowed besides public addresses: tests, private deployments. */
  allowed?: Networks;
  signal?: AbortSignal;
  /** The system's resolver unless a test brings its own. */
  resolve?: (host: string) => Promise<string[]>;
}

export interface OutboundResponse {
  /** After redirects. */
  url: string;
  contentType: string | null;
  /** As announced; null when it was not. */
  contentLength: number | null;
  /** Streamed; errors with OutboundError. Destroy it to give up. */
  body: Readable;
}

/**
 * GET of a URL that a stranger gave us: http and https, public addresses only. Each host is resolved once and the
 * connection goes to the address that was checked, so that a second answer of its name server changes nothing; literal
 * addresses are checked too (undici's connect.lookup is not asked for them), and so is every redirect.
 */
export async function outboundFetch(target: string, options: OutboundOptions): Promise<OutboundResponse> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const fail = (error: unknown): Error => {
    // Our own caller's abort stays what it is.
    if (options.signal?.aborted) return options.signal.reason;
    return describe(error, deadline.aborted);
  };

  let url = parse(target);
  for (let redirects = 0; ; redirects++) {
    const agent = await connectTo(url, options, signal, fail);
    let response: Dispatcher.ResponseData;
    try {
      response = await request(url, {
        dispatcher: agent,
        signal,
        // A compressed answer could be small on the wire and huge after it.
        headers: { accept: "audio/*, */*", "accept-encoding": "identity", "user-agent": "escriba" },
      });
    } catch (error) {
      await agent.destroy();
      throw fail(error);
    }
    const { statusCode, headers } = response;
    const location = headers.location;
    if (statusCode >= 300 && statusCode < 400 && typeof location === "string") {
      await discard(response.body, agent);
      if (redirects >= (options.maxRedirects ?? 5)) {
        throw new OutboundError("too_many_redirects", "the URL redirects too often");
      }
      url = parse(location, url);
      continue;
    }
    const contentLength = Number(headers["content-length"] ?? Number.NaN);
    const tooLarge = contentLength > options.maxBytes;
    if (statusCode < 200 || statusCode >= 300 || tooLarge) {
      await discard(response.body, agent);
      throw tooLarge && statusCode < 300
        ? overSize(options.maxBytes)
        : new OutboundError("http_status", `the URL answered with HTTP status ${statusCode}`, { status: statusCode });
    }
    const contentType = headers["content-type"];
    return {
      url: url.href,
      contentType: typeof contentType === "string" ? contentType : null,
      contentLength: Number.isFinite(contentLength) ? contentLength : null,
      body: limited(response.body, options.maxBytes, agent, fail),
    };
  }
}

function parse(target: string, base?: URL): URL {
  const url = URL.parse(target, base?.href);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new OutboundError("invalid_url", "the URL must be http or https, without a user name or password in it");
  }
  return url;
}

/** An agent whose only connections go to one checked address of the URL's host. */
async function connectTo(
  url: URL,
  options: OutboundOptions,
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

/** Counts what arrives: an announced length may be missing or a lie. */
function limited(source: Readable, maxBytes: number, agent: Agent, fail: (error: unknown) => Error): Readable {
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(overSize(maxBytes));
      else done(null, chunk);
    },
  });
  source.once("error", (error) => body.destroy(fail(error)));
  body.once("close", () => {
    source.destroy();
    agent.destroy().catch(() => undefined);
  });
  return source.pipe(body);
}

/** A body nobody reads. Its abort is reported as an error event, which must find a listener. */
async function discard(body: Readable, agent: Agent): Promise<void> {
  body.on("error", () => undefined).destroy();
  await agent.destroy();
}

function overSize(maxBytes: number): OutboundError {
  return new OutboundError("too_large", `the URL's content is over ${maxBytes} bytes`);
}

function describe(error: unknown, late: boolean): Error {
  if (error instanceof OutboundError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  if (late || code.endsWith("_TIMEOUT")) {
    return new OutboundError("timeout", "the URL did not answer in time", { cause: error });
  }
  return new OutboundError("unreachable", "the URL could not be reached", { cause: error });
}
