import type { SpeakerTurn } from "./diarization.ts";

/** How many people spoke in a recording, and how many a transcript tells apart. Null: it says that it cannot tell. */
export interface SpeakerCount {
  reference: number;
  answer: number | null;
}

/** A voice answered with less speech than this, in seconds, is nobody that a reader would take for a person. */
const NOBODY = 1;

export function speakerCount(reference: readonly SpeakerTurn[], answer: readonly SpeakerTurn[] | null): SpeakerCount {
  return { reference: distinct(reference, 0), answer: answer && distinct(answer, NOBODY) };
}

function distinct(turns: readonly SpeakerTurn[], least: number): number {
  const seconds = new Map<string, number>();
  for (const { speaker, start, end } of turns) seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start);
  return [...seconds.values()].filter((sum) => sum > least).length;
}

/** Recordings whose number of speakers is right. */
export function rightCounts(counts: readonly SpeakerCount[]): { hits: number; n: number } {
  return { hits: counts.filter(({ reference, answer }) => answer === reference).length, n: counts.length };
}

/** Recordings of one voice that were split into several. */
export function splits(counts: readonly SpeakerCount[]): { hits: number; n: number } {
  const single = counts.filter(({ reference }) => reference === 1);
  return { hits: single.filter(({ answer }) => answer !== null && answer > 1).length, n: single.length };
}
