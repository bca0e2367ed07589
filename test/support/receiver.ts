import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Authority, createAuthority } from "./certificate.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => unknown;

export interface Receiver {
  /** `https://receiver.test:port`, a name that only a resolver of the test's knows. */
  url: string;
  /** The same on a name that the system's resolver knows. */
  localUrl: string;
  /** What came, in order. */
  received: Received[];
  /** What it does from now on. */
  answer: Answer;
  /** Service-Event-Id of everything that came. */
  events(): string[];
  close(): Promise<void>;
}

export const authority: Authority = createAuthority();
export const status =
  (code: number): Answer =>
  (_received, response) =>
    response.writeHead(code).end();

/** A real TLS server on 127.0.0.1 that answers 200 until it is told otherwise. */
export async function startReceiver(identity = authority.issue(["receiver.test", "localhost"])): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(identity, async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (!body) return;
    const item = { path: request.url ?? "", headers: request.headers, body };
    received.push(item);
    await receiver.answer(item, response, request);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `https://receiver.test:${port}`,
    localUrl: `https://localhost:${port}`,
    received,
    answer: status(200),
    events: () => received.map(({ headers }) => String(headers["service-event-id"])),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return receiver;
}
