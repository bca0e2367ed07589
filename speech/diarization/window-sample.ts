import type { Span } from "../types.ts";
import type { Voiceprints } from "./voiceprints.ts";

/** A window of the recording and what its voice sounds like, of length 1. */
export interface Row extends Span {
  vector: Float32Array;
}

/** Rows held at most, with CAM++ 1.5 MB: enough to tell two voices from one, however long the recording. */
const MOST = 2_000;
/** Rows are kept and dropped by runs of this many, because it counts who follows whom. */
const RUN = 25;

/**
 * Windows from all over a recording: all of them at first, every second run when they become many, then every fourth …
 */
export class WindowSample {
  #rows: Row[] = [];
  #every = 1;
  #seen = 0;

  add({ windows, vectors, width }: Voiceprints): void {
    for (const [i, { start, end }] of windows.entries()) {
      const run = Math.floor(this.#seen++ / RUN);
      if (run % this.#every !== 0) continue;
      this.#rows.push({ start, end, vector: vectors.slice(i * width, (i + 1) * width) });
      if (this.#rows.length < MOST) continue;
      this.#rows = this.#rows.filter((_, place) => Math.floor(place / RUN) % 2 === 0);
      this.#every *= 2;
    }
  }

  /** In the order of time. */
  get rows(): readonly Row[] {
    return this.#rows;
  }
}
