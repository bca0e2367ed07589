import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Logger } from "../process/log.ts";
import { ApiError } from "./errors/api-error.ts";
import { errorAnswer } from "./errors/body.ts";
import { createRequestId, requestIdHeaders } from "./request-id.ts";

/** Slow headers hold a socket and nothing else; 20 s is generous. */
const HEADERS_TIMEOUT_MS = 20_000;
/** 2 GB at 1 Mbit/s takes 4.8 hours; a body that merely stalls is given up by its reader much sooner. */
const REQUEST_TIMEOUT_MS = 6 * 3_600_000;
/** Longer than the 60 s that load balancers keep idle connections, so that they never reuse one we just closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** After an answer that came before the end of the body, the rest is read and thrown away for this long. */
const LINGER_MS = 5_000;

/** What a stream may take to say that it ends. */
const LAST_CALL_MS = 1_000;
/** What a handler whose connection was cut may take to remove its scratch file. */
const CLEAN_UP_MS = 2_000;

export interface Listener {
  url: string;
  /**
   * Stops accepting and lets running requests finish for at most `graceMs`. What runs then is told by `lastCall` and has
   * a moment to end by itself; the rest is closed.
   */
  drain(graceMs: number, lastCall: () => void): Promise<void>;
}

/** The HTTP server around the application: time-outs, what comes before a request is one, and its end. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
  options: { host: string; port: number; log: Logger; docsUrl: string },
): Promise<Listener> {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Node would answer a request without Host by itself, without our request id.
    requireHostHeader: false,
  });
  let draining = false;
  const responses = new Set<ServerResponse>();
  let idle: (() => void) | undefined;
  const ending = new WeakSet<Socket>();
  let handling = 0;
  // A request is over when its last byte is out and its handler has put away what it held.
  const settle = () => {
    if (handling === 0 && responses.size === 0) idle?.();
  };
  function closed(this: ServerResponse) {
    responses.delete(this);
    settle();
  }
  const handled = () => {
    handling -= 1;
    settle();
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.setHeader("Connection", "close");
    lingerAfterEarlyAnswer(request, response);
    responses.add(response);
    handling += 1;
    response.on("close", closed);
    handle(request, response).then(handled, handled);
  };
  /** Resolves when nothing runs, at the latest after `ms`. */
  const noneRunning = async (ms: number) => {
    if (handling === 0 && responses.size === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, ms);
      idle = () => {
        clearTimeout(late);
        resolve();
      };
    });
    idle = undefined;
  };
  server.on("request", serve);
  // "100 Continue" is said by whoever reads the body, so that a refused upload is not sent at all.
  server.on("checkContinue", serve);
  server.on("checkExpectation", serve);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // What follows a whole request cannot make its answer a 400: it may create, and be billed.
    const owed = [...responses].find(({ req, closed }) => req.socket === socket && req.complete && !closed);
    if (!owed || !socket.writable) answerMalformed(error, socket, options);
    // Once: every further chunk is an error of its own.
    else if (!ending.has(socket)) owed.once("close", () => socket.destroySoon());
    ending.add(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    url: addressOf(server, options.host),
    async drain(graceMs, lastCall) {
      draining = true;
      for (const response of responses) if (!response.headersSent) response.setHeader("Connection", "close");
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Connections that were open may still bring requests: those are waited for as well.
      await noneRunning(graceMs);
      lastCall();
      await noneRunning(LAST_CALL_MS);
      server.closeAllConnections();
      await closed;
      await noneRunning(CLEAN_UP_MS);
    },
  };
}

/**
 * Closing a socket with unread bytes makes the system send a reset, which can take the answer away from a client that
 * is still sending. So the rest is discarded for a while (nginx calls it lingering close).
 */
function lingerAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (length === undefined && coding === undefined) return;
  response.once("finish", () => {
    if (request.complete) return;
    request.resume();
    const linger = setTimeout(() => request.socket.destroy(), LINGER_MS);
    request.once("close", () => clearTimeout(linger));
  });
}

/** What is no HTTP request gets the same body as any other mistake. */
function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { log, docsUrl }: { log: Logger; docsUrl: string },
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = createRequestId();
  log.info({ request_id: requestId, code: error.code, status: 400 }, "malformed request");
  const apiError = new ApiError("invalid_parameter", {
    message: "La petición HTTP está incompleta o mal formada.",
  });
  const answer = errorAnswer(apiError, requestId, docsUrl);
  const body = JSON.stringify(answer.body);
  const headers = {
    ...requestIdHeaders(requestId),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("")}\r\n${body}`);
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
