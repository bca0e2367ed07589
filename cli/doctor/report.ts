import type { Checked, Outcome } from "./check.ts";

const MARKS: Record<Outcome, string> = { ok: "✓", warning: "!", failed: "✗", skipped: "–" };

/** A line a check under its area, and below it what to do; told as it comes. */
export class Report {
  readonly #out: (line: string) => void;
  readonly #checked: Checked[] = [];
  #area = "";

  constructor(out: (line: string) => void) {
    this.#out = out;
  }

  add(checked: Checked): void {
    this.#checked.push(checked);
    const { area, check, outcome, said, remedy = [] } = checked;
    if (area !== this.#area) this.#out(`${this.#area === "" ? "" : "\n"}${area}`);
    this.#area = area;
    this.#out(`  ${MARKS[outcome]} ${check.padEnd(14)} ${said}`);
    for (const line of remedy) this.#out(`    ${"".padEnd(14)} → ${line}`);
  }

  end(): void {
    const count = (outcome: Outcome) => this.#checked.filter((checked) => checked.outcome === outcome).length;
    const parts = [`${count("ok")} fine`, `${count("warning")} to look at`, `${count("failed")} failed`];
    this.#out(`\n${parts.join(", ")}.`);
  }
}
