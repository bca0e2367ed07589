import { type Belief, type Evidence, normalise, weightOf } from "./evidence.ts";
import { UNHEARD_LANGUAGE } from "./shares.ts";

/** Chance that the next stretch is in another language than the one before, where a recording has several. */
const CHANGE = 0.1;

/**
 * What each of a row of neighbouring stretches is in, given all of them: the forward-backward algorithm over a chain
 * that keeps its language with nine chances in ten and else draws it anew by the recording's shares (Rabiner 1989). A
 * short stretch that could be anything follows its neighbours; one that is sure of itself does not. In order of time.
 */
export function smooth(evidence: readonly Evidence[], shares: Belief): Belief[] {
  const languages = Object.keys(evidence[0]?.logprobs ?? {});
  if (languages.length === 0) return [];
  const prior = languages.map((language) => Math.max(shares[language] ?? 0, UNHEARD_LANGUAGE));
  const total = prior.reduce((sum, value) => sum + value, 0);
  const drawn = prior.map((value) => value / total);
  const likelihoods = evidence.map(({ seconds, logprobs }) => {
    const best = Math.max(...Object.values(logprobs));
    return languages.map((language) => Math.exp(weightOf(seconds) * ((logprobs[language] as number) - best)));
  });
  const step = (from: readonly number[]) => {
    const sum = from.reduce((total, value) => total + value, 0);
    return from.map((value, i) => (1 - CHANGE) * value + CHANGE * sum * (drawn[i] as number));
  };
  const back = (from: readonly number[]) => {
    const mean = from.reduce((total, value, i) => total + value * (drawn[i] as number), 0);
    return from.map((value) => (1 - CHANGE) * value + CHANGE * mean);
  };
  const forward: number[][] = [];
  for (const [i, likelihood] of likelihoods.entries()) {
    const before = i === 0 ? drawn : step(forward[i - 1] as number[]);
    forward.push(unit(times(before, likelihood)));
  }
  let after: number[] = languages.map(() => 1);
  const beliefs: Belief[] = [];
  for (let i = evidence.length - 1; i >= 0; i--) {
    const odds = unit(times(forward[i] as number[], after));
    beliefs.unshift(
      normalise(Object.fromEntries(languages.map((language, at) => [language, Math.log(odds[at] as number)]))),
    );
    after = unit(back(times(after, likelihoods[i] as number[])));
  }
  return beliefs;
}

function times(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, i) => value * (b[i] as number));
}

function unit(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => Math.max(value / sum, Number.MIN_VALUE));
}
