/** Seconds; spans ascend inside a window. */
export interface HeardWindow {
  language: string;
  spans: readonly { start: number; end: number }[];
}

/** Reference words that a window heard in the right language, of those that any window heard. */
export interface LanguageHits {
  hits: number;
  n: number;
}

/**
 * Of a recording in several languages: each reference word is asked for the language that its window was decoded as.
 * Words in no window are uncovered speech, which is counted elsewhere.
 */
export function languageHits(
  words: readonly { start: number; end: number; language: string }[],
  windows: readonly HeardWindow[],
): LanguageHits {
  const heard = windows
    .flatMap(({ language, spans }) => spans.map(({ start, end }) => ({ start, end, language })))
    .sort((a, b) => a.start - b.start);
  const answer = { hits: 0, n: 0 };
  for (const word of words) {
    const middle = (word.start + word.end) / 2;
    const span = heard.find(({ start, end }) => middle >= start && middle < end);
    if (!span) continue;
    answer.n += 1;
    if (span.language === word.language) answer.hits += 1;
  }
  return answer;
}
