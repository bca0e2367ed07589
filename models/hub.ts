import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HubSource, SourceFile } from "./catalogue.ts";
import { gitBlobId, sha256OfFile } from "./digest.ts";
import { ModelError } from "./errors.ts";

export const HUB = "https://huggingface.co";

/** An unreachable hub must fail over to the next source before a person wonders. */
const HEADERS_WITHIN_MS = 5_000;
/** A body that stops flowing is asked for again. */
const SILENCE_MS = 30_000;
const ATTEMPTS = 5;
const RETRY_AFTER_MS = 500;
const REDIRECTS = 5;

export interface FetchOptions {
  hub?: string;
  /** Bytes of all files together, and the file at work. */
  onProgress: (done: number, total: number, file: string) => void;
  signal?: AbortSignal;
}

/**
 * Fetches a repository's files into `directory` under their `as` names. Every file is verified: against the pinned
 * sha256, or against the digest that the hub announces with it. What is already there and right is not fetched again.
 */
export async function fetchFromHub(source: HubSource, directory: string, options: FetchOptions): Promise<void> {
  const { hub = HUB, onProgress, signal } = options;
  const total = source.files.reduce((sum, file) => sum + file.bytes, 0);
  let before = 0;
  for (const file of source.files) {
    const url = `${hub}/${source.repository}/resolve/${source.revision}/${file.path}`;
    const start = before;
    await fetchFile(url, file, join(directory, file.as), {
      onBytes: (bytes) => onProgress(start + Math.min(bytes, file.bytes), total, file.as),
      signal,
    });
    before += file.bytes;
  }
}

interface Transfer {
  onBytes: (bytes: number) => void;
  signal: AbortSignal | undefined;
}

async function fetchFile(url: string, file: SourceFile, path: string, transfer: Transfer): Promise<void> {
  if (file.sha256 && (await sizeOf(path)) > 0 && (await sha256OfFile(path)) === file.sha256) {
    transfer.onBytes(file.bytes);
    return;
  }
  const part = `${path}.part`;
  for (let clean = (await sizeOf(part)) === 0; ; clean = true) {
    const announced = await download(url, part, transfer);
    const fault = await verify(part, file, announced);
    if (!fault) break;
    await rm(part, { force: true });
    // What was kept from an earlier try may be of another revision: once more from the first byte.
    if (clean) throw new ModelError(`${file.path}: ${fault}`);
  }
  await rename(part, path);
}

/** What the hub says about a file: sha256 of large ones (X-Linked-ETag), git's blob id of small ones (ETag). */
interface Announced {
  sha256?: string | undefined;
  blob?: string | undefined;
}

async function verify(path: string, file: SourceFile, announced: Announced): Promise<string | undefined> {
  const sha256 = file.sha256 ?? announced.sha256;
  if (sha256) {
    const actual = await sha256OfFile(path);
    return actual === sha256 ? undefined : `its sha256 is ${actual}, not ${sha256}`;
  }
  if (!announced.blob) return "the hub announces no digest, so it cannot be verified";
  const actual = await gitBlobId(path);
  return actual === announced.blob ? undefined : `its git blob id is ${actual}, not ${announced.blob}`;
}

/**
 * Downloads to `part`, going on from what is there. A hub that cannot be reached at all fails at once, so that the next
 * source gets its turn; once something has come, a break is mended by asking for the rest.
 */
async function download(url: string, part: string, transfer: Transfer): Promise<Announced> {
  let begun = false;
  for (let attempt = 1; ; attempt++) {
    const before = await sizeOf(part);
    try {
      return await downloadOnce(url, part, before, transfer);
    } catch (error) {
      transfer.signal?.throwIfAborted();
      if (!(error instanceof Interrupted)) throw error;
      if ((await sizeOf(part)) > before) {
        begun = true;
        attempt = 0;
      }
      if ((error instanceof Unreached && !begun) || attempt >= ATTEMPTS) throw error;
      await sleep(RETRY_AFTER_MS, undefined, { signal: transfer.signal });
    }
  }
}

async function downloadOnce(url: string, part: string, offset: number, transfer: Transfer): Promise<Announced> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expect = (within: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error(`nothing came for ${within / 1_000} s`)), within);
  };
  expect(HEADERS_WITHIN_MS);
  const signal = transfer.signal ? AbortSignal.any([transfer.signal, silence.signal]) : silence.signal;
  try {
    const { response, announced } = await request(url, offset, signal);
    expect(SILENCE_MS);
    if (response.status === 416) {
      // Nothing after `offset`: the part is whole (or wrong, which its digest will tell).
      await response.body?.cancel();
      return announced;
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      const answer = `it answered ${response.status} for ${new URL(url).pathname}`;
      throw response.status >= 500 ? new Unreached(answer) : new ModelError(answer);
    }
    const resumed = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${offset}-`);
    let done = resumed ? offset : 0;
    const length = response.headers.get("content-length");
    const whole = length === null || response.headers.has("content-encoding") ? undefined : done + Number(length);
    const file = await open(part, resumed ? "a" : "w");
    try {
      for await (const chunk of readBody(response.body)) {
        expect(SILENCE_MS);
        await file.writeFile(chunk);
        done += chunk.length;
        transfer.onBytes(done);
      }
    } finally {
      await file.close();
    }
    if (whole !== undefined && done !== whole)
      throw new Interrupted(`the connection ended at ${done} of ${whole} bytes`);
    return announced;
  } finally {
    clearTimeout(timer);
  }
}

/** The way to the hub broke: what arrived stays, the rest can be asked for. */
class Interrupted extends ModelError {}

/** Not even headers came. */
class Unreached extends Interrupted {}

async function* readBody(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new Interrupted(causeOf(error));
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Follows redirects by hand: the digests are on the hub's own answer, before it sends the reader to its storage. */
async function request(
  url: string,
  offset: number,
  signal: AbortSignal,
): Promise<{ response: Response; announced: Announced }> {
  const announced: Announced = {};
  let at = url;
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (offset > 0) headers.range = `bytes=${offset}-`;
    const response = await fetch(at, { headers, signal, redirect: "manual" }).catch((error: unknown) => {
      throw new Unreached(`${new URL(at).host} is not reached (${causeOf(error)})`);
    });
    if (new URL(at).origin === new URL(url).origin) noteDigests(response.headers, announced);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || !location) return { response, announced };
    await response.body?.cancel();
    at = new URL(location, at).href;
  }
  throw new ModelError(`it redirects more than ${REDIRECTS} times`);
}

function noteDigests(headers: Headers, announced: Announced): void {
  const plain = (value: string | null) => value?.replace(/^W\//, "").replaceAll('"', "").toLowerCase();
  for (const value of [plain(headers.get("x-linked-etag")), plain(headers.get("etag"))]) {
    if (value && /^[0-9a-f]{64}$/.test(value)) announced.sha256 ??= value;
    if (value && /^[0-9a-f]{40}$/.test(value)) announced.blob ??= value;
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined;
  return cause ? cause.message || cause.code || error.message : error.message;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}
