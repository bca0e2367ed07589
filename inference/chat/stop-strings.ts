/**
 * Looks for stop strings in text that comes in pieces. What could be the beginning of one is held back until the next
 * piece decides.
 */
export class StopStrings {
  readonly #strings: readonly string[];
  #held = "";
  #stopped = false;

  constructor(strings: readonly string[]) {
    this.#strings = strings.filter((string) => string !== "");
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** The text that may be shown now. Once `stopped`, the text before the stop string was the last. */
  push(piece: string): string {
    if (this.#stopped) return "";
    const text = this.#held + piece;
    // The one that is complete first, as if the text came letter by letter.
    let found: { start: number; end: number } | undefined;
    for (const string of this.#strings) {
      const start = text.indexOf(string);
      const end = start + string.length;
      if (start >= 0 && (!found || end < found.end || (end === found.end && start < found.start)))
        found = { start, end };
    }
    if (found) {
      this.#stopped = true;
      this.#held = "";
      return text.slice(0, found.start);
    }
    const kept = this.#beginnings(text);
    this.#held = text.slice(text.length - kept);
    return text.slice(0, text.length - kept);
  }

  /** What was held back, when nothing follows. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  /** Length of the longest end of `text` with which a stop string could begin. */
  #beginnings(text: string): number {
    let longest = 0;
    for (const string of this.#strings) {
      for (let length = Math.min(string.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(string.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
