import { featuresOf, PLACES } from "../../../../understanding/machine-talk/features.ts";

export interface Example {
  text: string;
  /** Said to a machine. */
  machine: boolean;
  /** Examples of one template are alike; together they weigh as one. */
  weight: number;
}

export interface Fitted {
  weights: Float32Array;
  bias: number;
}

const PASSES = 40;
const RATE = 4;
/** Strength of the pull to nothing; of those tried from 2e-6 on, the best with a fifth of the lines held out in turn. */
const L2 = 1e-3;

/**
 * Logistic regression by stochastic gradient descent, the examples in an order that `random` gives. Pure: the same examples and
 * numbers fit the same weights.
 */
export function fitTo(examples: readonly Example[], random: () => number): Fitted {
  const ready = examples.map(({ text, machine, weight }) => ({ features: [...featuresOf(text)], machine, weight }));
  const weights = new Float32Array(PLACES);
  let bias = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const rate = RATE / (1 + pass);
    for (const { features, machine, weight } of shuffled(ready, random)) {
      let score = bias;
      for (const [place, value] of features) score += (weights[place] as number) * value;
      const error = ((machine ? 1 : 0) - probability(score)) * weight;
      for (const [place, value] of features)
        weights[place] = (weights[place] as number) * (1 - rate * L2) + rate * error * value;
      bias += rate * error * 0.1;
    }
  }
  return { weights, bias };
}

export const probability = (score: number): number => 1 / (1 + Math.exp(-score));

export function scoreOf({ weights, bias }: Fitted, text: string): number {
  let score = bias;
  for (const [place, value] of featuresOf(text)) score += (weights[place] as number) * value;
  return score;
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const all = [...list];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}
