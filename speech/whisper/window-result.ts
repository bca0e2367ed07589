import { segmentsOf } from "../alignment/segments.ts";
import type { Window, WindowResult } from "../types.ts";
import { averageLogprob } from "./guards.ts";
import type { Found } from "./retry.ts";
import { type LanguagePart, toWindowLanguage } from "./window-languages.ts";

/** What a window came to. `found` holds it whole, or each of its `parts` in order; `parts` is empty when not asked. */
export function toResult(
  window: Window,
  language: string,
  parts: readonly LanguagePart[],
  found: readonly Found[],
  computeMs: number,
): WindowResult {
  const segments = found.flatMap(({ words }, i) => {
    const own = parts[i]?.language ?? language;
    return segmentsOf(words).map((segment) => (own === language ? segment : { ...segment, language: own }));
  });
  const reasons = [...new Set(found.flatMap(({ reasons }) => reasons))];
  const sum = (count: (one: Found) => number) => found.reduce((total, one) => total + count(one), 0);
  const looked = found.flatMap(({ terms }) => (typeof terms === "number" ? [terms] : []));
  const asked = found.some(({ terms }) => terms !== undefined);
  return {
    index: window.index,
    language,
    ...(parts.length > 0 && { languages: parts.map(toWindowLanguage) }),
    segments,
    averageLogprob: averageLogprob({
      logprob: sum(({ best }) => best.logprob),
      chosen: sum(({ best }) => best.chosen),
    }),
    tokens: sum(({ generated }) => generated),
    retries: found.flatMap(({ retries }) => retries),
    ...(reasons.length > 0 && { reasons }),
    ...(asked && { terms: looked.length > 0 ? looked.reduce((total, count) => total + count, 0) : null }),
    computeMs: Math.round(computeMs),
  };
}
