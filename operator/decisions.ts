/** What `/decisions` shows: the last lines of the decision log, newest last. */
export class Decisions {
  readonly #most: number;
  #lines: object[] = [];

  constructor(most = 1_000) {
    this.#most = most;
  }

  add(line: object): void {
    this.#lines.push(line);
    if (this.#lines.length > this.#most) this.#lines.shift();
  }

  get lines(): readonly object[] {
    return this.#lines;
  }
}
