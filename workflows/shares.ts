/** Places counted by key, so that one endpoint or organization whose receivers are slow does not take every slot. */
export class Shares {
  readonly #most: number;
  #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = Math.max(1, Math.floor(most));
  }

  take(key: string): boolean {
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= this.#most) return false;
    this.#taken.set(key, taken + 1);
    return true;
  }

  give(key: string): void {
    const left = (this.#taken.get(key) ?? 0) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
