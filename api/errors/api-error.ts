import { ERRORS, type ErrorCode } from "./table.ts";

export interface ErrorDetails {
  /** Dotted name of the field, header or scope at fault. */
  param?: string | null;
  /** Spanish text for this case; the table's message when absent. */
  message?: string;
  /** Whole seconds, at least 1. */
  retryAfter?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** What every part of api/ throws. Formed into a response in one place, errors/body.ts. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  /** The text for the client; `message` is the operator's. */
  readonly text: string;
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const entry = ERRORS[code];
    super(
      entry.internal + (details.param ? ` (${details.param})` : ""),
      details.cause === undefined ? {} : { cause: details.cause },
    );
    this.code = code;
    this.status = entry.status;
    this.param = details.param ?? null;
    this.text = details.message ?? entry.message;
    this.retryAfter = details.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(details.retryAfter));
    this.headers = details.headers ?? {};
  }
}
