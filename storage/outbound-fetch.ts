import { type Readable, Transform } from "node:stream";
import { type Agent, type Dispatcher, request } from "undici";
import { type ConnectOptions, connectTo, describe, discard, OutboundError, parse } from "./outbound-connection.ts";

export interface OutboundOptions extends ConnectOptions {
  /** A body over this many bytes ends in `too_large`. */
  maxBytes: number;
  /** For everything together, the body included. */
  timeoutMs: number;
  maxRedirects?: number;
  signal?: AbortSignal;
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

function overSize(maxBytes: number): OutboundError {
  return new OutboundError("too_large", `the URL's content is over ${maxBytes} bytes`);
}
