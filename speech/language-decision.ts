import type { LanguageResult } from "./types.ts";

/** Two languages tie when their probabilities differ by no more than this (decisions.md, "Speech"). */
const TIE = 0.1;

/** The decision that scores lead to; `scores` are best first and sum to 1, at least one. */
export function decideLanguage(scores: readonly { language: string; probability: number }[]): LanguageResult {
  const [best, second] = scores;
  if (!best) throw new Error("no language was scored");
  const tie = second !== undefined && best.probability - second.probability <= TIE;
  return {
    language: best.language,
    confidence: best.probability,
    warnings: tie ? [`lid_tie:${best.language}~${second.language}`] : [],
  };
}
