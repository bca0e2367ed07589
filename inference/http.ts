import type { IncomingMessage, ServerResponse } from "node:http";
import type { ZodType } from "zod";
import { RequestError } from "./errors.ts";

/** Reads a JSON body and validates it. Throws RequestError: 400 with the field as `param`, or 413. */
export async function readBody<T>(request: IncomingMessage, schema: ZodType<T>, mostBytes: number): Promise<T> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new RequestError(413, `the body is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new RequestError(400, "the body is not JSON");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join(".") ?? "";
  throw new RequestError(400, `${param || "the body"}: ${issue?.message}`, param ? { param } : {});
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

/** In the middle of a stream of events the error is the last of them, as vLLM does it. */
export function sendError(response: ServerResponse, error: RequestError): void {
  if (response.headersSent) {
    response.end(`data: ${JSON.stringify(error.body)}\n\ndata: [DONE]\n\n`);
    return;
  }
  if (error.retryAfter !== undefined) response.setHeader("Retry-After", error.retryAfter);
  if (error.status === 413) response.setHeader("Connection", "close"); // the rest of the body is never read
  sendJson(response, error.status, error.body);
}

/** Aborts when the client is gone before its answer was whole, or when its owner does it. */
export function abortWhenGone(response: ServerResponse): AbortController {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new ClientGone());
  });
  return gone;
}

export class ClientGone extends Error {
  override name = "ClientGone";
}
