import { ApiError } from "./errors/api-error.ts";
import { scalarEnd } from "./json-text.ts";

export const MAX_METADATA_BYTES = 16 * 1024;
export const MAX_METADATA_DEPTH = 8;

/** Keys that could reach an object's prototype in a careless reader. */
const FORBIDDEN_KEYS = new Set(["__proto__", "constructor"]);

/**
 * The request's own JSON text of `metadata`, to be stored and returned unchanged: JavaScript would lose large integers
 * and jsonb would reorder. `body` is valid JSON of an object. "{}" when absent or null.
 * Throws ApiError `invalid_parameter` over 16 KB, deeper than 8, or with a forbidden key.
 */
export function metadataText(body: string, parsed: unknown): string {
  if (parsed === undefined || parsed === null) return "{}";
  const text = memberText(body, "metadata") ?? "{}";
  if (Buffer.byteLength(text) > MAX_METADATA_BYTES) throw refused("como máximo 16 KB de JSON");
  check(parsed, 1);
  return text;
}

function check(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > MAX_METADATA_DEPTH) throw refused(`como máximo ${MAX_METADATA_DEPTH} niveles`);
  for (const [key, inner] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw refused(`la clave «${key}» no se admite`);
    check(inner, depth + 1);
  }
}

function refused(why: string): ApiError {
  return new ApiError("invalid_parameter", {
    param: "metadata",
    message: `El parámetro «metadata» no es válido: ${why}.`,
  });
}

/**
 * The text of a member of the object that `json` holds, surrounding white space cut off; undefined when absent. The
 * last of several wins, as in JSON.parse. Runs once over valid JSON, character by character: a regular expression's
 * match for every token takes most of a second on 4 MB of small ones.
 */
export function memberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let key: string | undefined;
  let start = -1;
  let end = -1;
  for (let at = 0; at < json.length; ) {
    const character = json.charAt(at);
    if (character <= " ") {
      at += 1;
      continue;
    }
    const opening = character === "{" || character === "[";
    const closing = character === "}" || character === "]";
    const single = opening || closing || character === "," || character === ":";
    const next = single ? at + 1 : scalarEnd(json, at);
    if (depth === 1 && key === undefined && character === '"') {
      key = JSON.parse(json.slice(at, next)) as string;
    } else if (depth === 1 && key !== undefined && (character === "," || closing)) {
      if (key === name) found = json.slice(start, end);
      key = undefined;
      start = -1;
    } else if (key !== undefined && !(depth === 1 && character === ":")) {
      if (start < 0) start = at;
      end = next;
    }
    if (opening) depth += 1;
    else if (closing) depth -= 1;
    at = next;
  }
  return found;
}
