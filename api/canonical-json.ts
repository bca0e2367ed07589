import { ApiError } from "./errors/api-error.ts";

/**
 * Members sorted by name, white space gone, numbers as they were written, so that integers beyond 2^53 still differ.
 * Two bodies are "the same" for an Idempotency-Key when this is. `json` is valid JSON. Throws ApiError for nesting deeper
 * than the stack: JSON.parse alone takes any depth, a reviver does not.
 */
export function canonicalJson(json: string): string {
  try {
    const parsed: unknown = JSON.parse(json, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value,
    );
    return write(parsed);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError("invalid_parameter", { message: "El cuerpo de la petición tiene demasiados niveles." });
  }
}

class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function write(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${write(inner)}`).join(",")}}`;
}
