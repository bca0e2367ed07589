import type { Detection, LanguageResult, WindowResult } from "../types.ts";
import { type Belief, type Evidence, likeliest, normalise, ranked } from "./evidence.ts";
import { sharesOf } from "./shares.ts";

/** Two languages tie when their probabilities differ by no more than this (decisions.md, "Speech"). */
const TIE = 0.1;
/** A recording is in one language when that has this share of what was heard. */
const ALONE = 0.9;

/**
 * The decision that windows heard for it lead to. In a recording of one language all windows speak for the same, so
 * their logarithms add up; in one of several the likeliest is the one with most speech, and as likely as its share.
 */
export function decideLanguage(heard: readonly Evidence[], languages: readonly string[]): LanguageResult {
  const shares = sharesOf(heard);
  const main = likeliest(shares);
  const together = added(heard);
  const alone = (shares[main] as number) >= ALONE && likeliest(together) === main;
  return { ...decided(alone ? together : shares), detection: { languages: [...languages], shares } };
}

/** The decision without anything heard: the first hint, else what Whisper knows best, worth nothing. */
export function undecidedLanguage(hints: readonly string[], warning: string, detection?: Detection): LanguageResult {
  return { language: hints[0] ?? BEST_KNOWN, confidence: 0, warnings: [warning], ...(detection && { detection }) };
}

const BEST_KNOWN = "en";

/**
 * The recording's language once every window was asked for its own: the one most speech was decoded in. While all were
 * decoded in the language of the first decision that stands; else it is as likely as what the windows believed of it,
 * second by second.
 */
export function settleLanguage(first: LanguageResult, windows: readonly WindowResult[]): LanguageResult {
  const parts = windows.flatMap(({ languages = [] }) => languages);
  const seconds = new Map<string, number>();
  for (const part of parts) seconds.set(part.language, (seconds.get(part.language) ?? 0) + part.seconds);
  const failed = first.confidence === 0;
  if (parts.length === 0 || (!failed && seconds.size === 1 && seconds.has(first.language))) return first;
  const [[language] = [first.language]] = [...seconds].sort((a, b) => b[1] - a[1]);
  const shares: Record<string, number> = {};
  const total = parts.reduce((sum, part) => sum + part.seconds, 0);
  for (const part of parts) {
    for (const [code, probability] of Object.entries(part.probabilities)) {
      shares[code] = (shares[code] ?? 0) + (part.seconds * probability) / total;
    }
  }
  const others = ranked(shares).filter((other) => other.language !== language);
  const result = decided(
    { [language]: shares[language] ?? 0, ...(others[0] && { [others[0].language]: others[0].probability }) },
    language,
  );
  return {
    ...result,
    warnings: [...first.warnings.filter((warning) => !warning.startsWith("lid_tie")), ...result.warnings],
  };
}

function added(heard: readonly Evidence[]): Belief {
  const sums: Record<string, number> = {};
  for (const { logprobs } of heard) {
    for (const [language, logprob] of Object.entries(logprobs)) sums[language] = (sums[language] ?? 0) + logprob;
  }
  return normalise(sums);
}

function decided(belief: Belief, language = likeliest(belief)): LanguageResult {
  const probability = belief[language] as number;
  const second = ranked(belief).find((other) => other.language !== language);
  const tie = second !== undefined && probability - second.probability <= TIE;
  return { language, confidence: probability, warnings: tie ? [`lid_tie:${language}~${second.language}`] : [] };
}
