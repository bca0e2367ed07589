import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A transcript as `GET /v1/transcripts/{id}` answers it; the short form lacks what is optional here. */
export interface TranscriptResponse {
  id: string;
  status: "queued" | "processing" | "completed" | "failed" | "cancelled";
  error: { message: string } | null;
  language?: string;
  language_confidence?: number;
  audio_duration?: number;
  billed_duration?: number;
  speech_duration?: number;
  text?: string;
  utterances?: {
    speaker: string | null;
    speakerRole: "agent" | "customer" | null;
    text: string;
    start: number;
    end: number;
  }[];
  warnings?: string[];
  usage?: { total_eur: number };
}

/** The service refused a request, or a file cannot be sent; the message is for the person at the terminal. */
export class DemoError extends Error {
  override name = "DemoError";
}

/** What the demo asks of the service, over HTTP as any client would. */
export class Client {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /** Streams the file from disk. Throws DemoError when it cannot be read or the service refuses it. */
  async upload(path: string, signal: AbortSignal): Promise<{ id: string; bytes: number }> {
    const form = new FormData();
    form.set("file", await openFile(path), basename(path));
    return this.#call("POST", "/v1/files", { body: form, signal }, basename(path));
  }

  createTranscript(fileId: string, signal: AbortSignal): Promise<{ id: string; estimated_cost: { eur: number } }> {
    return this.#call("POST", "/v1/transcripts", {
      body: JSON.stringify({ file_id: fileId }),
      headers: { "Content-Type": "application/json" },
      signal,
    });
  }

  /** Polls until the transcript is final: every 0.5 s at first, every 5 s for long recordings. */
  async finalTranscript(
    id: string,
    onPoll: (transcript: TranscriptResponse) => void,
    signal: AbortSignal,
  ): Promise<{ transcript: TranscriptResponse; body: string }> {
    for (let polls = 0; ; polls += 1) {
      const body = await this.#text("GET", `/v1/transcripts/${id}`, { signal });
      const transcript = JSON.parse(body) as TranscriptResponse;
      onPoll(transcript);
      if (transcript.status !== "queued" && transcript.status !== "processing") return { transcript, body };
      await sleep(Math.min(500 + polls * 50, 5_000), undefined, { signal });
    }
  }

  async #call<T>(method: string, path: string, request: RequestInit, about?: string): Promise<T> {
    return JSON.parse(await this.#text(method, path, request, about)) as T;
  }

  /** Waits out 429 and tries 5xx and lost connections of a GET again for a minute: a role may be starting anew. */
  async #text(method: string, path: string, request: RequestInit, about?: string): Promise<string> {
    const giveUp = performance.now() + 60_000;
    for (;;) {
      const last = method !== "GET" || performance.now() > giveUp;
      let response: Response;
      try {
        response = await fetch(`${this.#baseUrl}${path}`, {
          ...request,
          method,
          headers: { ...(request.headers as Record<string, string>), Authorization: `Bearer ${this.#key}` },
        });
      } catch (error) {
        if (request.signal?.aborted) throw request.signal.reason;
        if (last) throw new DemoError(`${method} ${path}: ${reason(error)}`);
        await sleep(1_000);
        continue;
      }
      const body = await response.text();
      if (response.ok) return body;
      if (response.status === 429 || (response.status >= 500 && !last)) {
        await sleep(Number(response.headers.get("Retry-After") ?? 1) * 1_000, undefined, {
          signal: request.signal ?? undefined,
        });
        continue;
      }
      throw new DemoError(`${about ? `${about}: ` : ""}${refusal(response.status, body)}`);
    }
  }
}

/** Says what is wrong with a path before anything is started or sent. Throws DemoError. */
export async function checkFile(path: string): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new DemoError(`${path} is a directory; name an audio file`);
    if (!found.isFile()) throw new DemoError(`${path} is not a regular file`);
    await openFile(path);
  } catch (error) {
    if (error instanceof DemoError) throw error;
    throw new DemoError(unreadable(path, error));
  }
}

async function openFile(path: string): Promise<Blob> {
  try {
    const blob = await openAsBlob(path);
    // Opening only looks at the size: a file that may not be read shows at its first byte.
    await blob.slice(0, 1).arrayBuffer();
    return blob;
  } catch (error) {
    throw new DemoError(unreadable(path, error));
  }
}

function unreadable(path: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return `${path} does not exist`;
  if (code === "EACCES" || code === "EPERM") return `${path} may not be read by this user`;
  return `${path} cannot be read: ${reason(error)}`;
}

function refusal(status: number, body: string): string {
  try {
    const { error } = JSON.parse(body) as { error: { code: string; message: string; request_id: string } };
    return `the service refused it: ${error.code} (${status}, ${error.request_id}): ${error.message}`;
  } catch {
    return `the service answered ${status}: ${body.slice(0, 200)}`;
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}
