/** A call's wish for the engine: its next batch. */
export interface Turn {
  /** Of a short recording, or a recording's first question: those go before the others. */
  short: boolean;
  /** Fairness key: the organization, or `<organization>/economy`. */
  key: string;
  /** Its part beside the others' 1. */
  weight: number;
  /** Audio-seconds of the batch. */
  cost: number;
  /** Calls in the order they came. */
  order: number;
  start: () => void;
}

/** Audio-seconds that a key may take before the next one is served: a batch of two full windows. */
const QUANTUM = 60;
/** After so many batches of short recordings one of a long one goes, or a steady flow of them would stop it for ever. */
const SHORT_RUN = 8;

/**
 * Who has the engine next, asked between batches: short recordings first, and among equals deficit round robin over
 * organizations by audio-seconds (Shreedhar and Varghese 1995), so that one with many chunks here takes no more of the
 * engine than one with a single chunk. Of one organization the call that came first ends first.
 */
export class Turns {
  readonly #lanes = { short: new Lane(), long: new Lane() };
  #shortRun = 0;

  add(turn: Turn): void {
    this.#laneOf(turn).add(turn);
  }

  /** Undefined when nobody waits. */
  next(): Turn | undefined {
    const { short, long } = this.#lanes;
    if (short.size > 0 && (long.size === 0 || this.#shortRun < SHORT_RUN)) {
      this.#shortRun = long.size === 0 ? 0 : this.#shortRun + 1;
      return short.next();
    }
    this.#shortRun = 0;
    return long.next();
  }

  remove(turn: Turn): void {
    this.#laneOf(turn).remove(turn);
  }

  #laneOf({ short }: Turn): Lane {
    return short ? this.#lanes.short : this.#lanes.long;
  }
}

class Lane {
  /** Keys in turn, the one being served first. One without a turn stays until its place comes: its call may go on. */
  readonly #ring: string[] = [];
  readonly #keys = new Map<string, { turns: Turn[]; weight: number; left: number }>();
  size = 0;

  /** Among the others of its key by when its call came. */
  add(turn: Turn): void {
    this.size += 1;
    const own = this.#keys.get(turn.key);
    if (own) {
      const later = own.turns.findIndex(({ order }) => order > turn.order);
      own.turns.splice(later < 0 ? own.turns.length : later, 0, turn);
      return;
    }
    this.#keys.set(turn.key, { turns: [turn], weight: turn.weight, left: 0 });
    if (this.#ring.push(turn.key) === 1) this.#grant();
  }

  next(): Turn | undefined {
    while (this.size > 0) {
      const key = this.#ring[0] as string;
      const own = this.#keys.get(key) as { turns: Turn[]; left: number };
      const turn = own.turns[0];
      if (turn && turn.cost <= own.left) {
        own.left -= turn.cost;
        own.turns.shift();
        this.size -= 1;
        return turn;
      }
      this.#ring.shift();
      if (turn) this.#ring.push(key);
      else this.#keys.delete(key);
      this.#grant();
    }
    return undefined;
  }

  remove(turn: Turn): void {
    const turns = this.#keys.get(turn.key)?.turns ?? [];
    const place = turns.indexOf(turn);
    if (place < 0) return;
    turns.splice(place, 1);
    this.size -= 1;
  }

  /** The key whose place has come may take another quantum. */
  #grant(): void {
    const own = this.#keys.get(this.#ring[0] ?? "");
    if (own) own.left += QUANTUM * own.weight;
  }
}
