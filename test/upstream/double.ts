import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as the double got it, and the pen to answer with. */
export interface Seen {
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  response: ServerResponse;
  /** Resolves when the connection of this request has been closed by the other side, or by us. */
  closed: Promise<unknown>;
}

export type Script = (seen: Seen) => unknown;

export interface Double {
  /** An OpenAI base URL. */
  url: string;
  /** Every request, oldest first. */
  seen: Seen[];
  /** Answers the next request; those without a script of their own get the last one again. */
  answer(...scripts: Script[]): void;
  /** Resolves once so many requests have come. */
  arrived(count: number): Promise<Seen>;
  stop(): Promise<void>;
}

/** An OpenAI-compatible server for the faults that a real one cannot be made to show. */
export async function startDouble(): Promise<Double> {
  const seen: Seen[] = [];
  let scripts: Script[] = [says("Hola")];
  let changed = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const closed = once(response, "close");
    const entry = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text), response, closed };
    seen.push(entry);
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    changed.resolve();
    changed = Promise.withResolvers();
    await script?.(entry);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    answer(...next) {
      scripts = next;
    },
    async arrived(count) {
      while (seen.length < count) await changed.promise;
      return seen[count - 1] as Seen;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** One chunk as OpenAI's and vLLM's servers write it. */
export function chunk(delta: object, finish: string | null = null, more: object = {}): string {
  return `data: ${JSON.stringify({
    id: "chatcmpl-theirs",
    object: "chat.completion.chunk",
    created: 1,
    model: "theirs",
    system_fingerprint: "fp_theirs",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...more,
  })}\n\n`;
}

export function usage(promptTokens: number, completionTokens: number): string {
  const total = promptTokens + completionTokens;
  const counts = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: total };
  return chunk({}, null, { choices: [], usage: counts });
}

export const DONE = "data: [DONE]\n\n";

export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
  return response;
}

/** Writes what the other side is to read before anything else happens. */
export async function sent(response: ServerResponse, part: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => response.write(part, () => setImmediate(resolve)));
}

/** A whole answer, a chunk a word, 7 prompt tokens. */
export function says(text: string, { finish = "stop", counted = true } = {}): Script {
  return ({ response }) => {
    stream(response).write(chunk({ role: "assistant", content: "" }));
    const words = text.split(/(?<= )/);
    for (const word of words) response.write(chunk({ content: word }));
    response.write(chunk({}, finish));
    if (counted) response.write(usage(7, words.length));
    response.end(DONE);
  };
}

/** The start of an answer, then nothing more. */
export function begins(text: string): Script {
  return ({ response }) => {
    stream(response).write(chunk({ role: "assistant", content: text }));
  };
}

export function fails(status: number, body: object = { error: { message: "no" } }, headers = {}): Script {
  return ({ response }) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Takes the request and says nothing. */
export const hangs: Script = () => undefined;

/** Breaks the connection without an answer. */
export const breaks: Script = ({ response }) => response.socket?.destroy();
