import { CUES, type Cue } from "../cues/cue-names.ts";

/**
 * What a cue was thought to mean before any call was looked at, in log-odds for the agent: fits stay near it, because
 * some dozens of written calls say little about how often real people use a phrase.
 */
const PRIOR: Record<Cue, number> = {
  greets_for_company: 1.6,
  offers_help: 1.8,
  offers_more_help: 1.8,
  asks_identification: 1.6,
  asks_details: 0.6,
  holds: 1.2,
  looks_up: 1.2,
  sees_in_system: 0.9,
  acts_for_other: 1.2,
  promises: 1,
  quotes_terms: 1,
  apologises: 0.9,
  closes_for_company: 1,
  addresses_formally: 0.4,
  instructs: 0.7,
  obliges: 0.5,
  transfers: 1.4,
  names_their_things: 0.8,
  figures_for_other: 0.4,
  states_purpose: -1.1,
  wants: -1.1,
  describes_problem: -0.8,
  own_things: -1.1,
  suffers: -1,
  gives_identification: -0.9,
  asks_favour: -0.8,
  asks_price_or_time: -0.8,
  complains: -0.7,
  thanks_for_help: -0.6,
  own_people: -0.9,
  fetches: -0.4,
  says_own_things: -0.6,
  opens: 1.4,
  speaks_first: 0.5,
  answers_identification: -1.2,
};

/** Who speaks first says little that is general: in written calls it is nearly always the agent. */
const FIXED: readonly Cue[] = ["speaks_first"];
/** Standard deviation of the prior. */
const SPREAD = 0.35;
const STEPS = 1_500;
const RATE = 0.05;

/** One pair of speakers: what the agent has more of than the customer (`difference`), and how much it counts. */
export interface Example {
  features: readonly number[];
  importance: number;
}

/** Maximum a posteriori of a logistic regression without intercept, by gradient ascent. In the order of CUES. */
export function fitWeights(examples: readonly Example[]): number[] {
  const prior = CUES.map((cue) => PRIOR[cue]);
  const weights = [...prior];
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight, k) => -(weight - (prior[k] ?? 0)) / SPREAD ** 2);
    for (const { features, importance } of examples) {
      const margin = features.reduce((sum, value, k) => sum + value * (weights[k] ?? 0), 0);
      const surprise = importance / (1 + Math.exp(margin));
      features.forEach((value, k) => {
        gradient[k] = (gradient[k] ?? 0) + surprise * value;
      });
    }
    CUES.forEach((cue, k) => {
      if (!FIXED.includes(cue)) weights[k] = (weights[k] ?? 0) + RATE * (gradient[k] ?? 0) * SPREAD ** 2;
    });
  }
  return weights;
}
