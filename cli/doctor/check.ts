export const AREAS = ["temporal", "postgres", "store", "models", "upstream", "operator"] as const;
export type Area = (typeof AREAS)[number];

/** `warning`: it works, and somebody should know. `skipped`: nothing is configured, or what it needs has failed. */
export type Outcome = "ok" | "warning" | "failed" | "skipped";

export interface Finding {
  outcome: Outcome;
  /** What was seen, with its figures, in a line. */
  said: string;
  /** What to do about it; a line each. */
  remedy?: string[];
  /** The same figures for programs. */
  numbers?: Record<string, number | string | boolean | null | readonly number[]>;
}

export interface Checked extends Finding {
  area: Area;
  check: string;
  /** Milliseconds it took. */
  ms: number;
}

/** What a check throws that knows what to do; any other error is told by its message. */
export class Problem extends Error {
  override name = "Problem";
  readonly remedy: string[];
  constructor(said: string, ...remedy: string[]) {
    super(said);
    this.remedy = remedy;
  }
}

export const ok = (said: string, numbers?: Finding["numbers"]): Finding => ({
  outcome: "ok",
  said,
  ...(numbers && { numbers }),
});

export const warning = (said: string, remedy: string[], numbers?: Finding["numbers"]): Finding => ({
  ...ok(said, numbers),
  outcome: "warning",
  remedy,
});

export const failed = (said: string, remedy: string[], numbers?: Finding["numbers"]): Finding => ({
  ...warning(said, remedy, numbers),
  outcome: "failed",
});

export const skipped = (said: string): Finding => ({ outcome: "skipped", said });

/** The checks of one area, one after the other, each told to `onChecked` when it is over. */
export class Examination {
  readonly #area: Area;
  readonly #onChecked: (checked: Checked) => void;

  constructor(area: Area, onChecked: (checked: Checked) => void) {
    this.#area = area;
    this.#onChecked = onChecked;
  }

  /**
   * Runs one check, at most `withinMs`. Answers what `run` answers beside its finding, or null when it threw, did not end
   * in time, or found a failure: what builds on it is then left out.
   */
  async check<Value = true>(
    name: string,
    withinMs: number,
    run: (signal: AbortSignal) => Promise<Finding | { finding: Finding; value: Value }>,
  ): Promise<Value | null> {
    const started = performance.now();
    const over = new AbortController();
    const late = over.signal;
    // A timer that keeps the process: `AbortSignal.timeout` does not, and a check that hangs may have nothing else open.
    const timer = setTimeout(() => over.abort(), withinMs);
    const tell = (finding: Finding) =>
      this.#onChecked({ area: this.#area, check: name, ...finding, ms: Math.round(performance.now() - started) });
    try {
      const answer = await Promise.race([run(late), rejected(late, withinMs)]);
      const { finding, value } = "finding" in answer ? answer : { finding: answer, value: true as Value };
      tell(finding);
      return finding.outcome === "failed" || finding.outcome === "skipped" ? null : value;
    } catch (error) {
      tell(failed(messageOf(error), error instanceof Problem ? error.remedy : []));
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Says of the whole area that there is nothing to look at. */
  skip(said: string): void {
    this.#onChecked({ area: this.#area, check: "configured", ...skipped(said), ms: 0 });
  }
}

function rejected(signal: AbortSignal, ms: number): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Problem(`no answer within ${ms / 1_000} s`)), { once: true });
  });
}

/** One line; an error of several addresses (`AggregateError`) has its text in its parts. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const text =
    error instanceof Error ? error.message || (error as { code?: string }).code || error.name : String(error);
  return text.trim().split("\n")[0] ?? "";
}
