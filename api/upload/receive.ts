import { createWriteStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { ApiError } from "../errors/api-error.ts";
import { welcomeBody } from "../json-body.ts";
import { ClientGone } from "../middleware/request-context.ts";
import { cleanFilename } from "./filename.ts";

/** What a form may add around the file: boundaries, part headers, a few short fields. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

/** The form's one file part, named so by the specification. */
const FIELD = "file";

export interface Received {
  /** Cleaned. */
  filename: string;
  /** As the client declared it, lower case. */
  declaredType: string;
  bytes: number;
}

export interface ReceiveOptions {
  /** Where the file is written; the caller removes it, whatever happens. */
  path: string;
  /** Bytes of file. */
  maxBytes: number;
  /** Milliseconds without a byte after which the upload is given up. */
  idleMs: number;
}

/**
 * Streams the part `file` of a form to a file: memory stays flat, back-pressure reaches the socket. Throws ApiError:
 * 413 from Content-Length before a byte is read, or once counted; 400 for a form that is broken, truncated, without the
 * part or with a second file. Throws ClientGone. What was written by then is the caller's to remove.
 */
export async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  { path, maxBytes, idleMs }: ReceiveOptions,
): Promise<Received> {
  if (request.headers["content-type"] === undefined) throw noFile();
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge(maxBytes);
  const form = openForm(request, maxBytes);
  welcomeBody(request, response);

  const over = new AbortController();
  let received: { filename: string; declaredType: string; stream: BusboyFileStream } | undefined;
  let written: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    form.on("file", (name, stream, filename, _encoding, declaredType) => {
      // Before anything else: a stream without a listener for its error would end the process.
      stream.on("error", () => reject(broken()));
      if (received) reject(new ApiError("invalid_parameter", { param: FIELD, message: "Envíe un solo fichero." }));
      else if (name !== FIELD) reject(noFile());
      else {
        received = { filename: cleanFilename(filename), declaredType: declaredType.toLowerCase(), stream };
        stream.on("limit", () => reject(tooLarge(maxBytes)));
        written = pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }), {
          signal: over.signal,
        });
        written.catch(reject);
        return;
      }
      stream.resume();
    });
    form.on("partsLimit", () => reject(broken())).on("fieldsLimit", () => reject(broken()));
    form.on("error", () => reject(broken()));
    form.on("finish", resolve);
    pump(request, form, { maxBytes: maxBytes + FORM_OVERHEAD_BYTES, idleMs, signal: over.signal }).catch(reject);
  }).catch(async (error: unknown) => {
    over.abort();
    request.resume();
    await written?.catch(() => undefined);
    throw error;
  });
  if (!received) throw noFile();
  await written;
  return {
    filename: received.filename,
    declaredType: received.declaredType,
    bytes: received.stream.bytesRead,
  };
}

function openForm(request: IncomingMessage, maxBytes: number): BusboyInstance {
  try {
    return Busboy({
      headers: { ...request.headers, "content-type": multipartType(request.headers["content-type"] ?? "") },
      // A part named `file` is the file, whether or not the client gave it a name or a type.
      isPartAFile: (name, type, filename) =>
        name === FIELD || filename !== undefined || type === "application/octet-stream",
      limits: {
        fileSize: maxBytes,
        files: 2,
        fields: 32,
        parts: 40,
        fieldSize: 16 * 1024,
        headerPairs: 32,
        headerSize: 16 * 1024,
      },
    });
  } catch {
    throw new ApiError("invalid_parameter", {
      param: "Content-Type",
      message: "El cuerpo de la petición debe ser «multipart/form-data» con su «boundary».",
    });
  }
}

/** Busboy would also read `application/x-www-form-urlencoded`, in which no file can come. */
function multipartType(type: string): string {
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new Error("not multipart/form-data");
  return type;
}

/** Not `pipe` nor `pipeline`: these close the socket on failure, and the client would never read why. */
function pump(
  request: IncomingMessage,
  form: BusboyInstance,
  { maxBytes, idleMs, signal }: { maxBytes: number; idleMs: number; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let total = 0;
    const stop = (outcome: () => void) => {
      clearTimeout(idle);
      form.off("drain", onDrain);
      request.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
      outcome();
    };
    const idle = setTimeout(() => {
      stop(() => reject(new ApiError("invalid_parameter", { param: FIELD, message: "La subida se ha detenido." })));
    }, idleMs);
    const onData = (chunk: Buffer) => {
      total += chunk.length;
      if (total > maxBytes) {
        stop(() => reject(tooLarge(maxBytes - FORM_OVERHEAD_BYTES)));
        return;
      }
      idle.refresh();
      if (!form.write(chunk)) request.pause();
    };
    const onDrain = () => {
      idle.refresh();
      request.resume();
    };
    const onEnd = () =>
      stop(() => {
        form.end();
        resolve();
      });
    const onGone = () => stop(() => reject(new ClientGone()));
    signal.addEventListener("abort", () => stop(resolve), { once: true });
    form.on("drain", onDrain);
    request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  });
}

function noFile(): ApiError {
  return new ApiError("missing_parameter", {
    param: FIELD,
    message: "El formulario no trae un fichero legible en el campo «file».",
  });
}

function broken(): ApiError {
  return new ApiError("invalid_parameter", {
    param: FIELD,
    message: "El formulario «multipart/form-data» está incompleto o mal formado.",
  });
}

function tooLarge(maxBytes: number): ApiError {
  if (maxBytes === 2 ** 31) return new ApiError("file_too_large");
  return new ApiError("file_too_large", { message: `El fichero supera el máximo de ${maxBytes} bytes.` });
}
