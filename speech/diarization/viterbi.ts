import type { Span } from "../types.ts";
import { SAMPLE_RATE } from "../types.ts";

/**
 * What a change of speaker costs, in cosine: about what tells two voices apart in half a second. Within a phrase a
 * change is less likely than after a pause.
 */
const CHANGE_AFTER_PAUSE = 0.07;
const CHANGE_WITHIN_PHRASE = 0.12;
/** A window this long counts in full, a shorter one by its length. */
const FULL_SAMPLES = SAMPLE_RATE;

/**
 * Who speaks in each window: the path of the highest total likeness less what its changes cost (Viterbi, 1967). Windows
 * are taken one by one in the order of time; a byte a window and voice is kept, so ten hours take less than a megabyte.
 */
export class SpeakerPath {
  readonly #voices: number;
  /** Best total of a path that ends in each voice. */
  #totals: Float64Array;
  /** For each window and voice, the voice before it on the best path. */
  #before = new Uint8Array(1 << 10);
  #windows = 0;
  #last: Span | undefined;

  /** At most 255 voices. */
  constructor(voices: number) {
    this.#voices = voices;
    this.#totals = new Float64Array(voices);
  }

  /** `likeness` has a cosine for each voice. */
  add(window: Span, likeness: ArrayLike<number>): void {
    const weight = Math.min(1, (window.end - window.start) / FULL_SAMPLES);
    const pause = this.#last === undefined || window.start > this.#last.end;
    const change = pause ? CHANGE_AFTER_PAUSE : CHANGE_WITHIN_PHRASE;
    let best = 0;
    for (let voice = 1; voice < this.#voices; voice++) {
      if ((this.#totals[voice] as number) > (this.#totals[best] as number)) best = voice;
    }
    const first = this.#windows * this.#voices;
    if (first + this.#voices > this.#before.length) this.#before = grown(this.#before);
    const totals = new Float64Array(this.#voices);
    for (let voice = 0; voice < this.#voices; voice++) {
      const [stayed, changed] = [this.#totals[voice] as number, (this.#totals[best] as number) - change];
      this.#before[first + voice] = stayed >= changed ? voice : best;
      totals[voice] = Math.max(stayed, changed) + weight * (likeness[voice] as number);
    }
    this.#windows += 1;
    this.#totals = totals;
    this.#last = window;
  }

  /** The voice of each window added. */
  voices(): Uint8Array {
    const path = new Uint8Array(this.#windows);
    let voice = 0;
    for (let other = 1; other < this.#voices; other++) {
      if ((this.#totals[other] as number) > (this.#totals[voice] as number)) voice = other;
    }
    for (let window = path.length - 1; window >= 0; window--) {
      path[window] = voice;
      voice = this.#before[window * this.#voices + voice] as number;
    }
    return path;
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(bytes.length * 2);
  more.set(bytes);
  return more;
}
