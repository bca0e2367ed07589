import { SAMPLE_RATE } from "../types.ts";

/** Below this correlation of the two channels their mean would cancel what both carry. */
const OPPOSITE = -0.5;
/** A pair that counts as opposite does so until its correlation is above this, so that a borderline one stays put. */
const NO_LONGER = -0.35;
/** A channel must have twice the energy (3 dB) of the one that is heard to take its place. */
const LOUDER = 2;
/** What was heard longer ago than this hardly counts: wiring is for good, but a mixing desk may change it. */
const MEMORY = SAMPLE_RATE;
/** Decisions are made for 100 ms at a time, each on what it is about as well as on what went before. */
const BLOCK = SAMPLE_RATE / 10;
/** Energy below which there is nothing to compare: rounding in a second of a constant. */
const LEAST = 1e-6;
/** A change of gain takes 5 ms, so that it does not click. */
const RAMP = SAMPLE_RATE / 200;

/**
 * Mixes two channels at 16 kHz to one as they come: their mean, or the stronger of them alone while they are opposite
 * in phase (one side wired the wrong way round, a karaoke effect), where the mean would be silence.
 */
export class StereoMix {
  #leftEnergy = 0;
  #rightEnergy = 0;
  #product = 0;
  #opposite = false;
  /** Gain of the left channel; the right one has what is missing to 1. */
  #gain = 0.5;

  /** Mixes the first `count` samples of both into `write(index, value)`, in [-1, 1] like them. */
  mix(left: Float32Array, right: Float32Array, count: number, write: (index: number, value: number) => void): void {
    for (let from = 0; from < count; from += BLOCK) {
      const to = Math.min(count, from + BLOCK);
      const target = this.#decide(left, right, from, to);
      const ramp = (target - this.#gain) / RAMP;
      for (let i = from; i < to; i++) {
        if (this.#gain !== target) {
          const next = this.#gain + ramp;
          this.#gain = ramp > 0 ? Math.min(next, target) : Math.max(next, target);
        }
        write(i, (left[i] as number) * this.#gain + (right[i] as number) * (1 - this.#gain));
      }
      this.#gain = target;
    }
  }

  #decide(left: Float32Array, right: Float32Array, from: number, to: number): number {
    let leftEnergy = 0;
    let rightEnergy = 0;
    let product = 0;
    let leftSum = 0;
    let rightSum = 0;
    for (let i = from; i < to; i++) {
      const l = left[i] as number;
      const r = right[i] as number;
      leftSum += l;
      rightSum += r;
      leftEnergy += l * l;
      rightEnergy += r * r;
      product += l * r;
    }
    // Float files may hold anything; what is no number says nothing about phase.
    if (!Number.isFinite(leftEnergy + rightEnergy + product)) return this.#gain;
    const kept = Math.exp((from - to) / MEMORY);
    const count = to - from;
    // Around the mean of the block: a sound card's constant offset is no sound.
    this.#leftEnergy = this.#leftEnergy * kept + leftEnergy - leftSum ** 2 / count;
    this.#rightEnergy = this.#rightEnergy * kept + rightEnergy - rightSum ** 2 / count;
    this.#product = this.#product * kept + product - (leftSum * rightSum) / count;
    const scale = Math.sqrt(Math.max(0, this.#leftEnergy) * Math.max(0, this.#rightEnergy));
    const correlation = scale > LEAST ? this.#product / scale : 0;
    this.#opposite = correlation < (this.#opposite ? NO_LONGER : OPPOSITE);
    if (!this.#opposite) return 0.5;
    if (this.#gain === 1) return this.#rightEnergy > this.#leftEnergy * LOUDER ? 0 : 1;
    if (this.#gain === 0) return this.#leftEnergy > this.#rightEnergy * LOUDER ? 1 : 0;
    return this.#leftEnergy >= this.#rightEnergy ? 1 : 0;
  }
}
