/** What a client of upstreams goes by; tests turn it by hand. */
export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Runs once after `ms`; call the result to prevent it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`; rejects with the signal's reason when that is aborted before. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", cut);
      resolve();
    });
    signal?.addEventListener("abort", cut, { once: true });
    if (signal?.aborted) cut();
  });
}

/** Milliseconds, bytes and counts. The figures are section 7's and docs/decisions', or say where they come from. */
export interface Timing {
  /** From sending to the first byte of the answer's body, and from one chunk to the next. Never in total. */
  silenceMs: number;
  /** First try included. */
  tries: number;
  /** Tries and waits together: "several minutes to return an error", under nine. */
  totalMs: number;
  /** The wait before the second try is half to all of this; it doubles. */
  firstWaitMs: number;
  /** A longer Retry-After than this is the caller's to wait for. */
  longestRetryAfterMs: number;
  /** After finish_reason only usage is missing, and it can be counted here: not worth a client's two minutes. */
  usageMs: number;
  breaker: {
    /** Failed tries in a row that open it, … */
    failures: number;
    /** … when they lie this far apart: the tries of many calls at once, on one blip, are one piece of news. */
    spanMs: number;
    /** How long it stays open before one call may probe. */
    openMs: number;
  };
  /** One event of a stream; a token and its frame is 300 bytes. */
  maxEventBytes: number;
  /** A whole answer: 32,000 tokens in events of their own are 10 MB, 256 vectors of 4,096 numbers 25 MB. */
  maxAnswerBytes: number;
}

export const TIMING: Timing = {
  silenceMs: 120_000,
  tries: 4,
  totalMs: 540_000,
  firstWaitMs: 1_000,
  longestRetryAfterMs: 15_000,
  usageMs: 10_000,
  breaker: { failures: 5, spanMs: 5_000, openMs: 10_000 },
  maxEventBytes: 1024 * 1024,
  maxAnswerBytes: 64 * 1024 * 1024,
};
