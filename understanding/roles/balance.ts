import { CUES, FORMULAS } from "./cues/cue-names.ts";
import { type Counts, countsOf, difference, grown, type HeardTurn } from "./evidence.ts";
import { WEIGHTS } from "./fitted.ts";

/** Evidence between two speakers, seen from the first. */
export interface Balance {
  /** Log-odds, before calibration, that the first is the agent and the second the customer. */
  margin: number;
  /** How much of the evidence points one way: 1 all of it, 0 as much as the other way. */
  purity: number;
  /** Log-odds of the formulas of service that the likelier agent says, and those that the other says. */
  formulas: number;
  rivals: number;
  /**
   * How strongly a part of the call says the opposite of the rest, in log-odds of the weaker: what a diarizer leaves
   * that exchanges the speakers on the way. 0 when beginning and end agree.
   */
  opposed: number;
}

/** Places, as shares of the turns, where the beginning is held against the end. */
const SPLITS = [0.35, 0.5, 0.65];

/** Weighs what two speakers said. `weights` in the order of CUES. */
export function weigh(one: string, other: string, heard: readonly HeardTurn[], weights = WEIGHTS): Balance {
  const [counts, others] = [countsOf(one, heard), countsOf(other, heard)];
  const differences = difference(counts, others);
  let forOne = 0;
  let forOther = 0;
  differences.forEach((value, index) => {
    const contribution = value * (weights[index] ?? 0);
    if (contribution > 0) forOne += contribution;
    else forOther -= contribution;
  });
  const margin = forOne - forOther;
  const total = forOne + forOther;
  const margins = (part: readonly HeardTurn[]) => marginOf(one, other, part, weights);
  const opposed = SPLITS.map((share) => {
    const at = Math.round(heard.length * share);
    const [beginning, end] = [margins(heard.slice(0, at)), margins(heard.slice(at))];
    return beginning * end < 0 ? Math.min(Math.abs(beginning), Math.abs(end)) : 0;
  });
  const [agent, customer] = margin >= 0 ? [counts, others] : [others, counts];
  return {
    margin,
    formulas: formulasOf(agent, weights),
    rivals: formulasOf(customer, weights),
    purity: total === 0 ? 0 : Math.abs(margin) / total,
    opposed: Math.max(...opposed),
  };
}

function formulasOf(counts: Counts, weights: readonly number[]): number {
  return FORMULAS.reduce((sum, cue) => sum + grown(counts[cue]) * (weights[CUES.indexOf(cue)] ?? 0), 0);
}

/** Log-odds that the first is the agent. */
export function marginOf(one: string, other: string, heard: readonly HeardTurn[], weights = WEIGHTS): number {
  const differences = difference(countsOf(one, heard), countsOf(other, heard));
  return differences.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
}
