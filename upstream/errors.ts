/** Why an upstream did not answer, for logs and metrics: bounded, and never a word of a caller or of the upstream. */
export type Reason =
  | "breaker_open"
  | "network"
  | "silent"
  | "overloaded"
  | "server_error"
  | "not_an_answer"
  | "misconfigured"
  | "closed";

/** No answer to be had now, after every try: 503, not billed. */
export class UpstreamUnavailable extends Error {
  override name = "UpstreamUnavailable";
  readonly reason: Reason;
  /** When the upstream, or the breaker, says how long to stay away. */
  readonly retryAfterMs: number | undefined;
  constructor(reason: Reason, details: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(`upstream unavailable: ${reason}`, details.cause === undefined ? {} : { cause: details.cause });
    this.reason = reason;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The upstream understood the request and will never do it. */
export class UpstreamRefused extends Error {
  override name = "UpstreamRefused";
  readonly kind: "context_length" | "other";
  readonly status: number;
  /** Of a context_length refusal: tokens that the window leaves beside the prompt, where the upstream says so. */
  readonly leftTokens: number | undefined;
  constructor(kind: "context_length" | "other", status: number, leftTokens?: number) {
    super(`upstream refused the request: ${kind} (${status})`);
    this.kind = kind;
    this.status = status;
    this.leftTokens = leftTokens;
  }
}

/** A stream that had begun and will not come to its end. Thrown by its iterator. */
export class UpstreamBroken extends Error {
  override name = "UpstreamBroken";
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(`upstream broke off: ${reason}`, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}
