import type { Balance } from "../balance.ts";
import { type Confidence, confidenceTerms } from "../confidence.ts";

/** A pair of speakers of a calibration call, and whether naming the likelier agent would have been right. */
export interface Judged {
  balance: Balance;
  right: boolean;
  /** How many calls like it there are among real ones, against the others. */
  importance: number;
}

const STEPS = 20_000;
const RATE = 0.5;
/** Keeps the terms small where the calls cannot tell them apart: standard deviation of a prior around 0. */
const SPREAD = 3;

/** Logistic regression of "right" on the terms of the confidence, by gradient ascent. */
export function fitConfidence(judged: readonly Judged[]): Confidence {
  const examples = judged.map(({ balance, ...rest }) => ({ ...rest, terms: [1, ...confidenceTerms(balance)] }));
  const mass = examples.reduce((sum, { importance }) => sum + importance, 0);
  const weights = (examples[0]?.terms ?? []).map(() => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight) => -weight / SPREAD ** 2 / mass);
    for (const { terms, right, importance } of examples) {
      const logit = terms.reduce((sum, term, k) => sum + term * (weights[k] ?? 0), 0);
      const surprise = ((right ? 1 : 0) - 1 / (1 + Math.exp(-logit))) * (importance / mass);
      terms.forEach((term, k) => {
        gradient[k] = (gradient[k] ?? 0) + surprise * term;
      });
    }
    // More evidence never lowers the confidence; the first is the intercept.
    gradient.forEach((slope, k) => {
      weights[k] = k === 0 ? (weights[k] ?? 0) + RATE * slope : Math.max(0, (weights[k] ?? 0) + RATE * slope);
    });
  }
  const [intercept = 0, ...slopes] = weights;
  return { intercept, slopes };
}
