import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "./errors/api-error.ts";
import { ClientGone } from "./middleware/request-context.ts";

/** "JSON body 4 MB" of docs/decisions. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** A JSON body comes in one piece; a client that pauses longer than this inside it is not sending one. */
const IDLE_MS = 30_000;

/** Reads and parses a JSON body. Throws ApiError: 400 for what is not JSON, 413 over the limit, before reading it all. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes = MAX_JSON_BYTES,
): Promise<{ value: unknown; text: string }> {
  refuseOtherContent(request);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  welcomeBody(request, response);
  const bytes = await readBytes(request, maxBytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("invalid_parameter", { message: "El cuerpo de la petición no es UTF-8." });
  }
  try {
    return { value: JSON.parse(text), text };
  } catch {
    throw new ApiError("invalid_parameter", { message: "El cuerpo de la petición no es JSON." });
  }
}

/** Clients that ask before they send (curl does, over 1 MB) are told to go on only once the body is wanted. */
export function welcomeBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
}

function refuseOtherContent(request: IncomingMessage): void {
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "application/json").toLowerCase().split(";");
  if (!/^application\/([a-z0-9.-]+\+)?json$/.test(type.trim())) {
    throw new ApiError("invalid_parameter", {
      param: "Content-Type",
      message: "El cuerpo de la petición debe ser «application/json».",
    });
  }
  const charset = parameters.map((parameter) => parameter.trim().split("=")).find(([name]) => name === "charset")?.[1];
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new ApiError("invalid_parameter", { param: "Content-Type", message: "El cuerpo debe ser UTF-8." });
  }
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new ApiError("invalid_parameter", {
      param: "Content-Encoding",
      message: "El cuerpo de la petición debe enviarse sin comprimir.",
    });
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const idle = setTimeout(() => {
      finish();
      reject(new ApiError("invalid_parameter", { message: "El cuerpo de la petición no ha llegado completo." }));
    }, IDLE_MS);
    const finish = () => {
      clearTimeout(idle);
      request.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        finish();
        reject(tooLarge(maxBytes));
        return;
      }
      idle.refresh();
      chunks.push(chunk);
    };
    const onEnd = () => {
      finish();
      resolve(Buffer.concat(chunks));
    };
    const onGone = () => {
      finish();
      reject(new ClientGone());
    };
    request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  });
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("file_too_large", {
    message: `El cuerpo de la petición supera el máximo de ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
  });
}
