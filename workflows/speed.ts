/** Seconds of work after which a measurement counts half: long enough for a few dozen chunks, short enough to follow. */
const HALF_LIFE_SECONDS = 300;

/**
 * Audio-seconds a second that a worker gets done, an average in which newer work weighs more; what the operator divides
 * what waits by. Only finished work of this process counts.
 */
export class Speed {
  readonly #among: number;
  #audio = 0;
  #seconds = 0;

  /** @param among slots that do this work with one device and so share its speed; 1 when each slot has its own. */
  constructor(among: number) {
    this.#among = among;
  }

  /** `audioSeconds` were done in `seconds` of the device; 0 of them where work brings no audio on, but takes time. */
  measured(audioSeconds: number, seconds: number): void {
    const kept = 0.5 ** (seconds / HALF_LIFE_SECONDS);
    this.#audio = this.#audio * kept + audioSeconds;
    this.#seconds = this.#seconds * kept + seconds;
  }

  /** Of one slot while all are at work; null before any audio was done. */
  get perSlot(): number | null {
    return this.#audio > 0 && this.#seconds > 0 ? this.#audio / this.#seconds / this.#among : null;
  }
}
