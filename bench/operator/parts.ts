/** The parts of a long measurement: one that fails says so, and the others go on. */
export class Parts {
  readonly #say: (line: string) => void;
  /** In the order of their failures. */
  readonly failed: string[] = [];

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Never rejects: undefined is what comes of a part that failed. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    const begun = performance.now();
    this.#say(`${name} begins`);
    try {
      const found = await work();
      this.#say(`${name} took ${Math.round((performance.now() - begun) / 1_000)} s`);
      return found;
    } catch (error) {
      this.failed.push(name);
      this.#say(`${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return undefined;
    }
  }
}
