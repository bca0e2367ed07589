/** Seconds. */
export interface Stretch {
  start: number;
  end: number;
}

/** Seconds of reference words. */
export interface Coverage {
  total: number;
  /** In no window of the plan: voice activity detection dropped them, so recognition never heard them. */
  missedByVoiceActivity: number;
  /** Heard, but no word came out near them. */
  missedByRecognition: number;
}

/** A word of the transcript this near, in seconds, covers a word of the reference. */
const NEAR = 0.5;

/**
 * How much reference word time has no word of the transcript within half a second. What the words say does not
 * matter here: speech that was dropped is looked for, wrong words are the word error rate's.
 * A word counts as dropped by voice activity detection when it lies outside of every window's span.
 */
export function coverage(
  reference: readonly Stretch[],
  hypothesis: readonly Stretch[],
  spans: readonly Stretch[],
): Coverage {
  const answer: Coverage = { total: 0, missedByVoiceActivity: 0, missedByRecognition: 0 };
  const words = hypothesis.toSorted((a, b) => a.start - b.start);
  const latestEnd = runningMaximum(words.map(({ end }) => end));
  for (const word of reference) {
    const seconds = word.end - word.start;
    answer.total += seconds;
    // Of the words that begin no later than NEAR after this one, does any end no earlier than NEAR before it?
    const candidates = firstAfter(words, word.end + NEAR);
    if (candidates > 0 && (latestEnd[candidates - 1] as number) >= word.start - NEAR) continue;
    const heard = spans.some((span) => span.start < word.end && span.end > word.start);
    if (heard) answer.missedByRecognition += seconds;
    else answer.missedByVoiceActivity += seconds;
  }
  return answer;
}

export function uncoveredShare(recordings: readonly Coverage[]): number {
  let [missed, total] = [0, 0];
  for (const recording of recordings) {
    missed += recording.missedByVoiceActivity + recording.missedByRecognition;
    total += recording.total;
  }
  return (100 * missed) / total;
}

function runningMaximum(values: number[]): number[] {
  let most = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    most = Math.max(most, value);
    return most;
  });
}

/** How many words begin at or before `time`. */
function firstAfter(words: readonly Stretch[], time: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as Stretch).start <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
