/** How often terms were said and written; all texts already as lists of compared words. */
export interface TermHits {
  said: number;
  /** Of those said, at most as many as were said of each term. */
  found: number;
  /** Written more often than said. */
  invented: number;
}

/**
 * Of one recording, without alignment: each term is counted on both sides, and what is written more often than it was
 * said is a false insertion.
 * @param terms as lists of compared words, several words a term allowed.
 */
export function termHits(
  terms: readonly (readonly string[])[],
  reference: readonly string[],
  hypothesis: readonly string[],
): TermHits {
  const answer = { said: 0, found: 0, invented: 0 };
  for (const term of distinct(terms)) {
    const [said, written] = [occurrences(term, reference), occurrences(term, hypothesis)];
    answer.said += said;
    answer.found += Math.min(said, written);
    answer.invented += Math.max(0, written - said);
  }
  return answer;
}

/** The share of what was missed without the vocabulary that is found with it, in percent; NaN when nothing was missed. */
export function missedRecovered(without: readonly TermHits[], given: readonly TermHits[]): number {
  const missed = sum(without, "said") - sum(without, "found");
  return (100 * (sum(given, "found") - sum(without, "found"))) / missed;
}

export function sum(recordings: readonly TermHits[], field: keyof TermHits): number {
  return recordings.reduce((all, hits) => all + hits[field], 0);
}

function distinct(terms: readonly (readonly string[])[]): (readonly string[])[] {
  const byText = new Map(terms.filter((term) => term.length > 0).map((term) => [term.join(" "), term]));
  return [...byText.values()];
}

function occurrences(term: readonly string[], words: readonly string[]): number {
  let count = 0;
  for (let i = 0; i + term.length <= words.length; i++) {
    if (term.every((word, k) => words[i + k] === word)) {
      count += 1;
      i += term.length - 1;
    }
  }
  return count;
}
