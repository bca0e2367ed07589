/** A request that is not answered with 200; becomes OpenAI's error body. */
export class RequestError extends Error {
  override name = "RequestError";
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  /** Seconds, for the header of that name. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    message: string,
    about: { type?: string; code?: string; param?: string; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.type = about.type ?? (status < 500 ? "invalid_request_error" : "server_error");
    this.code = about.code ?? null;
    this.param = about.param ?? null;
    this.retryAfter = about.retryAfter;
  }

  get body() {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } };
  }
}

/** 503: the same request may succeed later. */
export function unavailable(message: string, code: string, retryAfter: number): RequestError {
  return new RequestError(503, message, { code, retryAfter });
}

/** 400 as OpenAI and vLLM say it; clients look at the code. */
export function tooLong(message: string, param: string): RequestError {
  return new RequestError(400, message, { code: "context_length_exceeded", param });
}
