import { align } from "./align.ts";

/** The errors in one stretch of speech: an utterance, or a whole recording. Units that are drawn by the bootstrap. */
export interface WordErrors {
  words: number;
  errors: number;
}

/**
 * Word errors of a recording, by utterance: the alignment is of the whole recording, and an inserted word belongs to the
 * utterance before it (to the first when there is none). All words as they are compared, from the same normaliser.
 */
export function wordErrors(utterances: readonly (readonly string[])[], hypothesis: readonly string[]): WordErrors[] {
  const owners = utterances.flatMap((words, utterance) => words.map(() => utterance));
  const units = utterances.map(({ length }) => ({ words: length, errors: 0 }));
  let owner = 0;
  for (const { reference, match } of align(utterances.flat(), hypothesis)) {
    if (reference !== null) owner = owners[reference] as number;
    const unit = units[owner];
    if (!match && unit) unit.errors += 1;
  }
  return units;
}

/** Errors over reference words, in percent; NaN without words. */
export function wordErrorRate(units: readonly WordErrors[]): number {
  let [errors, words] = [0, 0];
  for (const unit of units) {
    errors += unit.errors;
    words += unit.words;
  }
  return (100 * errors) / words;
}

/** Ours and theirs of the same utterance. */
export interface PairedErrors {
  words: number;
  ours: number;
  theirs: number;
}

/** Of two answers to the same utterances. */
export function pair(ours: readonly WordErrors[], theirs: readonly WordErrors[]): PairedErrors[] {
  if (ours.length !== theirs.length) throw new Error("two answers to different utterances");
  return ours.map(({ words, errors }, i) => ({ words, ours: errors, theirs: theirs[i]?.errors ?? 0 }));
}

/** Points of word error rate that ours is above theirs; negative when it is better. */
export function excess(units: readonly PairedErrors[]): number {
  let [more, words] = [0, 0];
  for (const unit of units) {
    more += unit.ours - unit.theirs;
    words += unit.words;
  }
  return (100 * more) / words;
}
