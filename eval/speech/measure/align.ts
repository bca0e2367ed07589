/** One step of an alignment: a pair of words, a reference word that nothing answers (deletion), or an insertion. */
export interface Step {
  /** Place in the reference; null for an insertion. */
  reference: number | null;
  /** Place in the hypothesis; null for a deletion. */
  hypothesis: number | null;
  /** The two are the same word. */
  match: boolean;
}

/** 500 million cells are 500 MB of directions: two recordings of two hours and a half. */
const MOST_CELLS = 500_000_000;

const [PAIR, DELETE, INSERT] = [0, 1, 2];

/**
 * The alignment with the fewest insertions, deletions and substitutions (Levenshtein, 1966). Of several, the one whose
 * matches have the least `distance` in sum: said twice in a row, a word belongs to the one that is near in time.
 * @param distance of reference word i and hypothesis word j, from 0 to 1. Only asked for words that are the same.
 * Throws RangeError when the two are too long to compare at once.
 */
export function align(
  reference: readonly string[],
  hypothesis: readonly string[],
  distance: (i: number, j: number) => number = () => 0,
): Step[] {
  const [rows, columns] = [reference.length + 1, hypothesis.length + 1];
  if (rows * columns > MOST_CELLS) {
    throw new RangeError(`${reference.length} and ${hypothesis.length} words are too many to align at once`);
  }
  // All distances together stay below one edit, so they only choose among the alignments with the fewest.
  const share = 1 / (rows + 1);
  const taken = new Uint8Array(rows * columns).fill(DELETE, 0).fill(INSERT, 0, columns);
  const cost = Float64Array.from({ length: columns }, (_, j) => j);
  for (let i = 1; i < rows; i++) {
    let diagonal = cost[0] as number;
    cost[0] = i;
    const word = reference[i - 1];
    for (let j = 1; j < columns; j++) {
      const above = cost[j] as number;
      const pair = diagonal + (word === hypothesis[j - 1] ? share * distance(i - 1, j - 1) : 1);
      const deletion = above + 1;
      const insertion = (cost[j - 1] as number) + 1;
      const least = Math.min(pair, deletion, insertion);
      taken[i * columns + j] = least === pair ? PAIR : least === deletion ? DELETE : INSERT;
      cost[j] = least;
      diagonal = above;
    }
  }
  const steps: Step[] = [];
  for (let i = rows - 1, j = columns - 1; i > 0 || j > 0; ) {
    const way = taken[i * columns + j];
    if (way !== INSERT) i -= 1;
    if (way !== DELETE) j -= 1;
    steps.push({
      reference: way === INSERT ? null : i,
      hypothesis: way === DELETE ? null : j,
      match: way === PAIR && reference[i] === hypothesis[j],
    });
  }
  return steps.reverse();
}
