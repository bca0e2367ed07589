const ADVICE: Record<number, string> = {
  402: "Do not repeat; add credit first. Nothing was processed or charged.",
  409: "Repeating it at once gives the same answer: what it conflicts with must change first.",
  429: "Wait as long as `Retry-After` says, then repeat.",
  500: "Repeat with growing waits and an `Idempotency-Key`. Nothing was charged.",
  503: "Repeat with growing waits and an `Idempotency-Key`. Nothing was charged.",
};

/** What a client does about an answer of this status, in Markdown; retry classes of section 7. */
export function retryAdvice(status: number): string {
  return ADVICE[status] ?? "Do not repeat the request unchanged.";
}
