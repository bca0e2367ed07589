import { CUES, type Cue, type Lexicon } from "./cues/cue-names.ts";
import { countFigures, countMatches } from "./plain-words.ts";
import type { Turn } from "./turns.ts";

/** How often each cue was met with. */
export type Counts = Record<Cue, number>;

export interface HeardTurn {
  speaker: string;
  counts: Counts;
}

/** A name or a number is an answer of at most this many words, or has at least so many figures. */
const SHORT_ANSWER = 6;
const ANSWER_FIGURES = 3;
/** A business names itself within the first turns. */
const OPENING_TURNS = 2;

/** Counts of every cue in every turn. */
export function hearTurns(turns: readonly Turn[], lexicons: readonly Lexicon[]): HeardTurn[] {
  return turns.map(({ speaker, plain, words }, index) => {
    const counts = noCounts();
    for (const { cues } of lexicons)
      for (const [cue, pattern] of Object.entries(cues)) counts[cue as Cue] += countMatches(plain, pattern);
    if (index === 0) counts.speaks_first = 1;
    if (index < OPENING_TURNS && lexicons.some(({ businessOpening }) => businessOpening.test(plain))) counts.opens = 1;
    const before = turns[index - 1];
    const asked = before && lexicons.some(({ cues }) => asks(before.plain, cues.asks_identification));
    if (asked && (words <= SHORT_ANSWER || countFigures(plain) >= ANSWER_FIGURES)) counts.answers_identification = 1;
    return { speaker, counts };
  });
}

function asks(plain: string, pattern: RegExp | undefined): boolean {
  return pattern !== undefined && countMatches(plain, pattern) > 0;
}

/** All of one speaker's turns together. */
export function countsOf(speaker: string, heard: readonly HeardTurn[]): Counts {
  const sum = noCounts();
  for (const turn of heard) if (turn.speaker === speaker) for (const cue of CUES) sum[cue] += turn.counts[cue];
  return sum;
}

function noCounts(): Counts {
  return Object.fromEntries(CUES.map((cue) => [cue, 0])) as Counts;
}

/** A cue heard ten times says little more than one heard five times. */
export const grown = (count: number) => Math.log2(1 + count);

/** How much more of each cue the first has, antisymmetric, in the order of CUES; what a weight is multiplied with. */
export function difference(one: Counts, other: Counts): number[] {
  return CUES.map((cue) => grown(one[cue]) - grown(other[cue]));
}
