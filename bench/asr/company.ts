import { type Contender, startContender } from "../contender.ts";

/** Starts contenders and ends them, each when it is no longer wanted and all at the end. */
export class Company {
  readonly #running = new Set<Contender>();

  async start(...contender: Parameters<typeof startContender>): Promise<Contender> {
    const started = await startContender(...contender);
    this.#running.add(started);
    return started;
  }

  async dismiss(...contenders: Contender[]): Promise<void> {
    for (const contender of contenders) {
      if (this.#running.delete(contender)) await contender.stop();
    }
  }

  dismissAll(): Promise<void> {
    return this.dismiss(...this.#running);
  }
}
