import { SAMPLE_RATE, type Segment, type Word } from "../types.ts";
import type { SpokenWord } from "./word-times.ts";

/** Silence in the recording that ends a segment, seconds. */
export const SEGMENT_PAUSE = 0.5;

/** Cuts placed words into segments: at pauses, and after a word that ends a sentence. Times become seconds. */
export function segmentsOf(words: readonly SpokenWord[]): Segment[] {
  const segments: Segment[] = [];
  let run: SpokenWord[] = [];
  for (const [index, word] of words.entries()) {
    run.push(word);
    const next = words[index + 1];
    if (next && next.start - word.end < SEGMENT_PAUSE * SAMPLE_RATE && !endsSentence(word.raw, next.raw)) continue;
    segments.push(toSegment(run));
    run = [];
  }
  return segments;
}

/**
 * True when a sentence ends with this word: a closing mark, and what follows does not go on in lower case. Titles
 * such as `Mr.` are no end.
 */
export function endsSentence(raw: string, next: string | undefined): boolean {
  const word = raw.trim();
  if (/[。！？…]["'”’»」』）)]*$/u.test(word)) return true;
  if (!/[.!?…]["'”’»)]*$/u.test(word) || TITLE.test(word)) return false;
  return next === undefined || !/^\s*\p{Ll}/u.test(next);
}

const TITLE = /^(?:mr|mrs|ms|dr|st|prof|sr|sra|srta|dra|ud|uds|d|dña|\p{Lu})\.$/iu;

function toSegment(run: readonly SpokenWord[]): Segment {
  const words = run.map(
    ({ raw, start, end }): Word => ({ text: raw.trim(), start: seconds(start), end: seconds(end) }),
  );
  return {
    text: run
      .map(({ raw }) => raw)
      .join("")
      .replace(/\s+/gu, " ")
      .trim(),
    start: (words[0] as Word).start,
    end: (words.at(-1) as Word).end,
    words,
  };
}

/** Samples to seconds with three decimals. 16 samples are a millisecond, so different samples may round to one. */
function seconds(samples: number): number {
  return Math.round((samples * 1_000) / SAMPLE_RATE) / 1_000;
}
