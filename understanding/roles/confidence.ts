import type { Balance } from "./balance.ts";

/** A logistic regression from the evidence to the probability that it points to the right speaker. */
export interface Confidence {
  intercept: number;
  /** One for each of `confidenceTerms`. */
  slopes: readonly number[];
}

/**
 * What of the evidence tells right from wrong: how much there is, how much of it agrees, and whether it is the same all
 * through the call. The more of each, the surer.
 */
export function confidenceTerms({ margin, purity, opposed }: Balance): number[] {
  return [Math.log1p(Math.abs(margin)), purity, -Math.log1p(opposed)];
}

/** Nobody is ever surer than this: the calibration calls are a few hundred. */
const MOST = 0.995;

/** Probability that the likelier agent is the agent. */
export function confidenceOf(balance: Balance, { intercept, slopes }: Confidence): number {
  const logit = confidenceTerms(balance).reduce((sum, term, k) => sum + term * (slopes[k] ?? 0), intercept);
  return Math.min(MOST, 1 / (1 + Math.exp(-logit)));
}
