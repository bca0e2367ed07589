import type { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import { type ConnectOptions, connectTo, describe, parse } from "./outbound-connection.ts";

export interface OutboundPost extends Omit<ConnectOptions, "idleTimeoutMs"> {
  body: Uint8Array;
  headers: Record<string, string>;
  /** For everything together: the name, the connection, the request and as much of the answer as is read. */
  timeoutMs: number;
}

/** Of an answer that nobody reads: enough for the receiver to finish writing a short one. */
const READ_BYTES = 64 * 1024;

/**
 * POST to a URL that a stranger gave us, to a public address only, resolved once. Answers the status, whatever it is:
 * a redirect is not followed. The status line is the answer; of what comes after it a little is read and thrown away,
 * so that an endless body costs nothing. Rejects with OutboundError.
 */
export async function outboundPost(target: string, options: OutboundPost): Promise<{ status: number }> {
  const { timeoutMs, body, headers } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const fail = (error: unknown) => describe(error, deadline.aborted);
  const url = parse(target);
  const agent = await connectTo(url, { ...options, idleTimeoutMs: timeoutMs }, deadline, fail);
  try {
    let response: Dispatcher.ResponseData;
    try {
      response = await request(url, { dispatcher: agent, method: "POST", signal: deadline, body, headers });
    } catch (error) {
      throw fail(error);
    }
    await readSome(response.body);
    return { status: response.statusCode };
  } finally {
    await agent.destroy();
  }
}

/** Ends with the body, after `READ_BYTES`, or with its error, which no longer matters. */
async function readSome(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes >= READ_BYTES) break;
    }
  } catch {
    // Too slow, broken off: the status was said before.
  }
}
