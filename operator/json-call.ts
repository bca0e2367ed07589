import { fetch } from "undici";

export interface JsonCall {
  method: "GET" | "POST" | "DELETE";
  url: string;
  /** Bearer token; null for none. */
  token: string | null;
  timeoutMs: number;
  /** An answer of more bytes is refused. */
  mostBytes: number;
}

export interface JsonAnswer {
  body: unknown;
  /** Milliseconds since 1970 by the other side's clock; null when it does not say. */
  date: number | null;
}

/** There is no answer to use; the message names the address and what was wrong. */
export class CallFailed extends Error {
  override name = "CallFailed";
  /** HTTP status; null when none came. */
  readonly status: number | null;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** An HTTP call that answers JSON with a 2xx. Rejects with CallFailed. */
export async function jsonCall({ method, url, token, timeoutMs, mostBytes }: JsonCall): Promise<JsonAnswer> {
  let status: number | null = null;
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    const text = await readText(response.body as AsyncIterable<Uint8Array> | null, mostBytes);
    if (!response.ok) throw new Error(`HTTP ${status}`);
    const date = Date.parse(response.headers.get("date") ?? "");
    return { body: JSON.parse(text), date: Number.isNaN(date) ? null : date };
  } catch (error) {
    const { name, message, cause } = error as Error;
    const why = name === "TimeoutError" ? "no answer in time" : cause instanceof Error ? cause.message : message;
    throw new CallFailed(`${method} ${url}: ${why}`, status, error);
  }
}

async function readText(body: AsyncIterable<Uint8Array> | null, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error(`an answer of more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
