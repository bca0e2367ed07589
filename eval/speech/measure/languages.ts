/** Seconds; spans ascend inside a window. */
export interface HeardWindow {
  language: string;
  spans: readonly { start: number; end: number }[];
}

/** Half a sample: less is what adding seconds up has lost, and would never be used up. */
const ROUNDING = 0.5 / 16_000;

/**
 * A window cut where its language changes: `parts` say how many seconds of its speech each language has, in order of
 * time; what they leave over is the last one's.
 */
export function byLanguage(
  { language, spans }: HeardWindow,
  parts: readonly { language: string; seconds: number }[] = [],
): HeardWindow[] {
  if (parts.length < 2) return [{ language: parts[0]?.language ?? language, spans }];
  const left = spans.map((span) => ({ ...span }));
  return parts.map((part, i) => {
    const mine: { start: number; end: number }[] = [];
    let seconds = i === parts.length - 1 ? Number.POSITIVE_INFINITY : part.seconds;
    for (let span = left[0]; span && seconds > ROUNDING; span = left[0]) {
      const end = Math.min(span.end, span.start + seconds);
      mine.push({ start: span.start, end });
      seconds -= end - span.start;
      if (end === span.end) left.shift();
      else span.start = end;
    }
    return { language: part.language, spans: mine };
  });
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
